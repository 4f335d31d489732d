      X = 1
      DO 10 I = 1, 3
      ADF (X)
        Y = X
   10 END ADF (D = TANGENT(Y))
      END
!! error: syntax 5:7-5:31 this statement cannot end the DO of the label 10
!! hint: 10 CONTINUE
