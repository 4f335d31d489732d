      X = 1
      ADF (X)
        Y = X
        RETURN
      END ADF
      END
!! error: syntax 4:9-4:15 a block of differentiation is not left by RETURN or STOP
