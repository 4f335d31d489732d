C     STOP ends the program.
      DO 10 I = 1, 5
        PRINT *, I
        IF (I .EQ. 2) STOP
   10 CONTINUE
      PRINT *, 'never'
      END
!! exact: 1
!! exact: 2
