      X = 1
      GOTO 10
      ADF (X)
   10   Y = X
      END ADF (D = TANGENT(Y))
      END
!! error: syntax 2:12-2:14 the label 10 stands in a block that this jump would enter
