      DO I = 1, 3
      X = I
      END
!! error: syntax 1:7-1:18 END DO is missing for this DO
