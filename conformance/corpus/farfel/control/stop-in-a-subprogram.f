! STOP ends the program in a subprogram, too: here in the third turn of a loop.
      PROGRAM MAIN
      DO 10 I = 1, 5
   10 CALL P(I)
      PRINT *, 'not here'
      END
      SUBROUTINE P(I)
      PRINT *, I
      IF (I .EQ. 3) STOP
      PRINT *, -I
      END
!! exact: 1
!! exact: -1
!! exact: 2
!! exact: -2
!! exact: 3
