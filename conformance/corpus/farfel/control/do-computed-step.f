C     From 10 down to 1 by -3: 10, 7, 4, 1
      N = 10
      M = -3
      K = 0
      DO 10 I = N, 1, M
   10 K = 100*K + I
      PRINT *, K, I
      END
!! exact: 10070401 -2
