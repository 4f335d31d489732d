C     The first square above 50 is 64.
      DO 10 I = 1, 100
        IF (I*I .GT. 50) GOTO 20
   10 CONTINUE
   20 PRINT *, I, I*I
      END
!! exact: 8 64
