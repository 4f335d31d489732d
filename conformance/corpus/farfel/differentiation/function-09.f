C     The value and the derivative at 1/2, by formula, in both modes
      X = .5
      ADF (X)
        Y = ABS(-X)
      END ADF (D = TANGENT(Y))
      PRINT *, Y, D
      ADR (Y)
        Y = ABS(-X)
      END ADR (D = COTANGENT(X))
      PRINT *, Y, D
      END
!! exact: 0.5 1
!! exact: 0.5 1
