C     The value and the derivative at 1/2, by formula, in both modes
      X = .5
      ADF (X)
        Y = 1/X
      END ADF (D = TANGENT(Y))
      PRINT *, Y, D
      ADR (Y)
        Y = 1/X
      END ADR (D = COTANGENT(X))
      PRINT *, Y, D
      END
!! exact: 2 -4
!! exact: 2 -4
