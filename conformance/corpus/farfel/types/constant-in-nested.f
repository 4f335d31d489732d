C     A nested subprogram sees the constants around it.
      PARAMETER (K = 5, R = 2.5*2)
        FUNCTION F(X)
          F = X*K + R
        END
      PRINT *, F(2.0)
      END
!! exact: 15
