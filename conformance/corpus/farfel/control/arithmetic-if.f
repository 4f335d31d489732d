C     Negative, zero, positive
      DO 40 I = -1, 1
        IF (I) 10, 20, 30
   10   PRINT *, 'negative'
        GOTO 40
   20   PRINT *, 'zero'
        GOTO 40
   30   PRINT *, 'positive'
   40 CONTINUE
      END
!! exact: negative
!! exact: zero
!! exact: positive
