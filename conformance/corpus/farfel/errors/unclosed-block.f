      X = 1
      ADF (X)
        Y = X
      END
!! error: syntax 2:7-2:14 END ADF is missing for this ADF
