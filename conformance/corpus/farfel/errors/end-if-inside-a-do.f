      DO 10 I = 1, 3
      IF (I .EQ. 2) THEN
   10 X = I
      END
!! error: syntax 2:7-2:25 END IF is missing for this IF before the label 10
