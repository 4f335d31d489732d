C     Constants, also as bounds, and of one another
      INTEGER N
      PARAMETER (N = 3, M = N + 1, PI = 3.25)
      LOGICAL YES
      PARAMETER (YES = .TRUE.)
      REAL X(N), Y(M)
      DO 10 I = 1, M
   10 Y(I) = I*PI
      X(N) = Y(M)
      PRINT *, N, M, PI, YES, X(3)
      END
!! exact: 3 4 3.25 T 13
