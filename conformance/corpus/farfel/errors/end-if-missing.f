      IF (1 .LT. 2) THEN
      X = 1
      END
!! error: syntax 1:7-1:25 END IF is missing for this IF
