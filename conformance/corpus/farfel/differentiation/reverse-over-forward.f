C     y = x**4 at 2: the tangent is 4 x**3 = 32, and its derivative 12 x**2 = 48
      X = 2
      ADR (D)
        ADF (X)
          Y = X**4
        END ADF (D = TANGENT(Y))
      END ADR (H = COTANGENT(X))
      PRINT *, D, H
      END
!! exact: 32 48
