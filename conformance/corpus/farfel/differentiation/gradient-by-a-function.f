C     A function that returns the derivative of a function that it is given, applied twice: 12 x**2 of x**4 at 2
      PROGRAM MAIN
        FUNCTION P(X)
          P = X**4
        END
        FUNCTION DP(X)
          DP = DERIV(P, X)
        END
      PRINT *, DERIV(P, 2.0), DERIV(DP, 2.0)
      END
      FUNCTION DERIV(F, X)
      EXTERNAL F
      ADF (X)
        Y = F(X)
      END ADF (DERIV = TANGENT(Y))
      END
!! exact: 32 48
