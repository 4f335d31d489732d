C     The Collatz sequence of 6: 6 3 10 5 16 8 4 2 1 has 8 steps.
      N = 6
      K = 0
      DO WHILE (N .NE. 1)
        IF (MOD(N, 2) .EQ. 0) THEN
          N = N/2
        ELSE
          N = 3*N + 1
        END IF
        K = K + 1
      END DO
      PRINT *, K
      END
!! exact: 8
