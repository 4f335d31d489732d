C     Lower bounds other than 1
      INTEGER A(0:3), B(-2:2, 5:6)
      A(0) = 7
      A(3) = 8
      B(-2, 5) = 1
      B(2, 6) = 2
      PRINT *, A
      PRINT *, B
      END
!! exact: 7 0 0 8
!! exact: 1 0 0 0 0 0 0 0 0 2
