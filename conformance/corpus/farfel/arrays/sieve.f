C     The primes below 30
      LOGICAL OUT(30)
      DO 20 I = 2, 29
        IF (OUT(I)) GOTO 20
        PRINT *, I
        DO 10 J = I*I, 30, I
   10   OUT(J) = .TRUE.
   20 CONTINUE
      END
!! exact: 2
!! exact: 3
!! exact: 5
!! exact: 7
!! exact: 11
!! exact: 13
!! exact: 17
!! exact: 19
!! exact: 23
!! exact: 29
