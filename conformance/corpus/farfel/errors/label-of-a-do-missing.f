      DO 10 I = 1, 3
      X = I
      END
!! error: syntax 1:7-1:21 the statement with the label 10 is missing
