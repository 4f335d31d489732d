C     x doubled until it is above 100: 64 times 2 from 2, so the derivative is 64.
      X = 2
      ADR (Y)
        Y = X
        DO WHILE (Y .LE. 100)
          Y = 2*Y
        END DO
      END ADR (D = COTANGENT(X))
      PRINT *, Y, D
      END
!! exact: 128 64
