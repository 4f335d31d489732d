   10 X = 1
   10 X = 2
      GOTO 10
      END
!! error: duplicate 2:4-2:6 the label 10 stands twice
