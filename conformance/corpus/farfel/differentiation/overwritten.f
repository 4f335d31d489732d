C     x x at 3: 9, with the derivative 6, in both modes
      X = 3
      ADF (X)
        X = X*X
      END ADF (D = TANGENT(X))
      PRINT *, X, D
      X = 3
      ADR (X)
        X = X*X
      END ADR (D = COTANGENT(X))
      PRINT *, X, D
      END
!! exact: 9 6
!! exact: 9 6
