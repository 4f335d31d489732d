C     REAL X(3) given for X(2): its first two elements
      PROGRAM MAIN
      REAL X(3)
      X(1) = 1
      X(2) = 2
      X(3) = 3
      CALL P(X)
      PRINT *, X
      END
      SUBROUTINE P(Y)
      REAL Y(2)
      PRINT *, Y
      Y(2) = 20
      END
!! exact: 1 2
!! exact: 1 20 3
