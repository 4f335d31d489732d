C     A jump to the last statement of a loop goes on with the next turn: 1 + 3 + 5.
      K = 0
      DO 10 I = 1, 5
        IF (MOD(I, 2) .EQ. 0) GOTO 10
        K = K + I
   10 CONTINUE
      PRINT *, K
      END
!! exact: 9
