      DIMENSION X(2), N(2)
      X(1) = 1.5
      N(1) = 1.5
      PRINT *, X, N
      END
!! exact: 1.5 0 1 0
