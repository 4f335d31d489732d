      IF (1 .LT. 2) IF (2 .LT. 3) X = 1
      IF (1 .LT. 2)
      IF (1 .LT. 2) DO 10 I = 1, 2
      END
!! error: syntax 1:21-1:23 IF does not stand behind the condition
!! error: syntax 2:7-2:9 a statement or THEN is missing
!! error: syntax 3:21-3:23 DO does not stand behind the condition
