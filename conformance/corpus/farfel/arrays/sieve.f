C     The primes below 30
      LOGICAL OUT(30)
      DO 20 I = 2, 29
        IF (OUT(I)) GOTO 20
        PRINT *, I
        DO 10 J = I*I, 30, I
   10   OUT(J) = .TRUE.
   20 CONTINUE
      END
!! expect: 2
!! expect: 3
!! expect: 5
!! expect: 7
!! expect: 11
!! expect: 13
!! expect: 17
!! expect: 19
!! expect: 23
!! expect: 29
