C     Neither declares T, so the call of G changes the T of F: 2 * 2, then 8 + 8.
      PROGRAM MAIN
        FUNCTION F(X)
          T = X*X
          S = G(X)
          F = S + T
        END
        FUNCTION G(X)
          T = X**3
          G = T
        END
      PRINT *, F(2.)
      END
!! exact: 16
