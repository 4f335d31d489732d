C     REAL X(3) given for X(4): an error when the subprogram is entered
      PROGRAM MAIN
      REAL X(3)
      CALL P(X)
      END
      SUBROUTINE P(Y)
      REAL Y(4)
      PRINT *, 'never'
      END
!! error: pattern 6:20-6:21 fewer elements
