C     A type alone makes F a variable.
      PROGRAM P
      REAL F
      PRINT *, TWICE(F, 3.)
      END
      FUNCTION F(X)
      F = X*X
      END
      FUNCTION TWICE(G, X)
      TWICE = G(G(X))
      END
!! error: type 4:22-4:23 TWICE expects a procedure for G
!! hint: declare it EXTERNAL
