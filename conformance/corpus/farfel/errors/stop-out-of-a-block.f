      X = 1
      ADR (Y)
        Y = X
        IF (Y .GT. 0) STOP
      END ADR (D = COTANGENT(X))
      END
!! error: syntax 4:9-4:27 a block of differentiation is not left by RETURN or STOP
