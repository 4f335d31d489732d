C     EXTERNAL and the type stand in either order.
      PROGRAM P
      EXTERNAL F
      REAL F, G
      EXTERNAL G
      PRINT *, TWICE(F, 3.), TWICE(G, 3.)
      END
      REAL FUNCTION F(X)
      F = X*X
      END
      REAL FUNCTION G(X)
      G = X + 1
      END
      REAL FUNCTION TWICE(H, X)
      EXTERNAL H
      REAL H
      TWICE = AGAIN(H, H(X))
      END
      REAL FUNCTION AGAIN(H, X)
      EXTERNAL H
      REAL H, X
      AGAIN = H(X)
      END
!! exact: 81 5
