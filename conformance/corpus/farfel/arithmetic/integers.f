C     Division and powers of integers truncate; MOD has the sign of its first argument.
      PRINT *, 7/2, -7/2, 7/(-2), 1/3*3, 2**10, 2**(-1), (-2)**3
      PRINT *, MOD(7, 3), MOD(-7, 3), MOD(7, -3), MOD(-6, 3)
      END
!! exact: 3 -3 -3 0 1024 0 -8
!! exact: 1 -1 1 0
