      DOUBLE PRECISION X
      X = 1
      PRINT *, X/3
      END
!! exact: 0.3333333333333333
