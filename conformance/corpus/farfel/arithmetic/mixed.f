C     A real operand makes the operation real; a real assigned to an integer is truncated.
      N = 3.99
      M = -3.99
      X = 7/2
      PRINT *, 7/2., 1 + .5, N, M, X, 3/2 + 1.5
      END
!! exact: 3.5 1.5 3 -3 3 2.5
