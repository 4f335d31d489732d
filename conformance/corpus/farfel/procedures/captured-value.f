C     What is passed sees the values that variables around it have when it is called.
      PROGRAM MAIN
        FUNCTION G(X)
          G = A*X
        END
      A = 2
      PRINT *, APPLY(G, 10.)
      A = 3
      PRINT *, APPLY(G, 10.)
      END
      FUNCTION APPLY(F, X)
      EXTERNAL F
      APPLY = F(X)
      END
!! exact: 20
!! exact: 30
