C     DO 1, 0 has no turn and leaves 1; DO 1, 5, 2 has three and leaves 7.
      N = 0
      DO 10 I = 1, 0
   10 N = N + 1
      PRINT *, N, I
      DO 20 I = 1, 5, 2
   20 N = N + 1
      PRINT *, N, I
      DO 30 I = 5, 1, -2
   30 N = N + I
      PRINT *, N, I
      END
!! exact: 0 1
!! exact: 3 7
!! exact: 12 -1
