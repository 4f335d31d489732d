C     y = x**3 at 2: the gradient of the gradient is 6 x = 12
      X = 2
      ADR (G)
        ADR (Y)
          Y = X**3
        END ADR (G = COTANGENT(X))
      END ADR (H = COTANGENT(X))
      PRINT *, G, H
      END
!! exact: 12 12
