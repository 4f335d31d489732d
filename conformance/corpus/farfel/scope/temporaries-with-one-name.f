C     Both functions compute with T and I; neither disturbs the other.
      PROGRAM MAIN
        FUNCTION F(X)
          T = X*X
          F = T + G(X)
          F = F + T
        END
        FUNCTION G(X)
        REAL T
          T = 1
          DO 10 I = 1, 3
   10     T = T*X
          G = T
        END
      PRINT *, F(2.)
      END
!! exact: 16
