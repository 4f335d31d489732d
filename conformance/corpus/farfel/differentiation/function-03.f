C     The value and the derivative at 1/2, by formula, in both modes
      X = .5
      ADF (X)
        Y = SQRT(X)
      END ADF (D = TANGENT(Y))
      PRINT *, Y, D
      ADR (Y)
        Y = SQRT(X)
      END ADR (D = COTANGENT(X))
      PRINT *, Y, D
      END
!! exact: 0.7071067811865476 0.7071067811865475
!! exact: 0.7071067811865476 0.7071067811865475
