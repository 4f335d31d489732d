C     Euclid: gcd(48, 36) = 12
      M = 48
      N = 36
      DO WHILE (.TRUE.)
        IF (N .EQ. 0) GOTO 10
        K = MOD(M, N)
        M = N
        N = K
      END DO
   10 PRINT *, M
      END
!! exact: 12
