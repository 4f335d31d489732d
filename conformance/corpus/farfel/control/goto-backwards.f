C     A loop made of a label: 10 + 9 + ... + 1
      N = 10
      K = 0
   10 K = K + N
      N = N - 1
      IF (N .GT. 0) GOTO 10
      PRINT *, K
      END
!! exact: 55
