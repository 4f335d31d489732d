      X = 1
      ADF (X)
        Y = X
        IF (Y .GT. 0) GOTO 10
      END ADF (D = TANGENT(Y))
   10 CONTINUE
      END
!! error: syntax 4:28-4:30 a block of differentiation is not left by a jump
