C     One branch jumps, the other goes on behind the END IF: 2 + 100, then 1 twice.
      K = 0
      I = 0
   10 I = I + 1
      IF (I .LT. 3) THEN
        K = K + 1
        GOTO 10
      ELSE
        K = K + 100
      END IF
      K = K + 1
      PRINT *, K, I
      END
!! exact: 103 3
