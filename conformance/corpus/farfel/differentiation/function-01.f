C     The value and the derivative at 1/2, by formula, in both modes
      X = .5
      ADF (X)
        Y = SIN(X)
      END ADF (D = TANGENT(Y))
      PRINT *, Y, D
      ADR (Y)
        Y = SIN(X)
      END ADR (D = COTANGENT(X))
      PRINT *, Y, D
      END
!! exact: 0.479425538604203 0.8775825618903728
!! exact: 0.479425538604203 0.8775825618903728
