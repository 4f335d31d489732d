C     The value and the derivative at 1/2, by formula, in both modes
      X = .5
      ADF (X)
        Y = X**3
      END ADF (D = TANGENT(Y))
      PRINT *, Y, D
      ADR (Y)
        Y = X**3
      END ADR (D = COTANGENT(X))
      PRINT *, Y, D
      END
!! exact: 0.125 0.75
!! exact: 0.125 0.75
