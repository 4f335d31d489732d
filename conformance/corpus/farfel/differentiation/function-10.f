C     The value and the derivative at 1/2, by formula, in both modes
      X = .5
      ADF (X)
        Y = X*X - X
      END ADF (D = TANGENT(Y))
      PRINT *, Y, D
      ADR (Y)
        Y = X*X - X
      END ADR (D = COTANGENT(X))
      PRINT *, Y, D
      END
!! exact: -0.25 0
!! exact: -0.25 0
