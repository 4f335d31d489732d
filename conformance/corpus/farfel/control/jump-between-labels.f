C     Control goes 10, 30, 20, 40.
      K = 0
   10 K = 10*K + 1
      GOTO 30
   20 K = 10*K + 2
      GOTO 40
   30 K = 10*K + 3
      GOTO 20
   40 K = 10*K + 4
      PRINT *, K
      END
!! exact: 1324
