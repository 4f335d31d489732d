      PROGRAM MAIN
        FUNCTION K(X)
          K = X
        END
      PRINT *, APPLY(K, 1.)
      END
      FUNCTION APPLY(F, X)
      APPLY = F(X)
      END
!! error: type 8:15-8:19 is a function that is INTEGER, but REAL here
