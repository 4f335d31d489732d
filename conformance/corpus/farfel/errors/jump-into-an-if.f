      GOTO 10
      IF (1 .LT. 2) THEN
   10   X = 1
      END IF
      END
!! error: syntax 1:12-1:14 the label 10 stands in a block that this jump would enter
