C     A function of the top level, a nested one, and one handed on
      PROGRAM MAIN
        FUNCTION G(X)
          G = X + 1
        END
      PRINT *, APPLY(SQUARE, 3.), APPLY(G, 3.), TWICE(G, 3.)
      END
      FUNCTION SQUARE(X)
      SQUARE = X*X
      END
      FUNCTION APPLY(F, X)
      APPLY = F(X)
      END
      FUNCTION TWICE(F, X)
      TWICE = APPLY(F, APPLY(F, X))
      END
!! exact: 9 4 5
