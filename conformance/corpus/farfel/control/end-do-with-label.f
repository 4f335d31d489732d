C     END DO may carry the label of the loop.
      K = 0
      DO 10 I = 1, 4
        IF (I .EQ. 2) GOTO 10
        K = K + I
   10 END DO
      PRINT *, K
      END
!! exact: 8
