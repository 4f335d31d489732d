C     The first i j = 6 with i < j is 2 * 3 ... with i from 1: 1 * 6.
      DO 20 I = 1, 9
        DO 10 J = I + 1, 9
          IF (I*J .EQ. 12) GOTO 30
   10   CONTINUE
   20 CONTINUE
   30 PRINT *, I, J
      END
!! exact: 2 6
