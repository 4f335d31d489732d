C     The value and the derivative at 1/2, by formula, in both modes
      X = .5
      ADF (X)
        Y = LOG(X)
      END ADF (D = TANGENT(Y))
      PRINT *, Y, D
      ADR (Y)
        Y = LOG(X)
      END ADR (D = COTANGENT(X))
      PRINT *, Y, D
      END
!! exact: -0.6931471805599453 2
!! exact: -0.6931471805599453 2
