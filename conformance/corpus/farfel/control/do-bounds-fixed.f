C     The bounds count when the loop begins.
      N = 3
      K = 0
      DO I = 1, N
        N = 10
        K = K + I
      END DO
      PRINT *, K, N, I
      END
!! exact: 6 10 4
