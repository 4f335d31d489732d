C     The value and the derivative at 1/2, by formula, in both modes
      X = .5
      ADF (X)
        Y = ATAN(X)
      END ADF (D = TANGENT(Y))
      PRINT *, Y, D
      ADR (Y)
        Y = ATAN(X)
      END ADR (D = COTANGENT(X))
      PRINT *, Y, D
      END
!! exact: 0.4636476090008061 0.8
!! exact: 0.4636476090008061 0.8
