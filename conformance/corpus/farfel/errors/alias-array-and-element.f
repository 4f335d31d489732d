      PROGRAM MAIN
      REAL X(3)
      CALL P(X, X(2))
      END
      SUBROUTINE P(A, B)
      REAL A(3)
      B = A(1)
      END
!! error: type 3:17-3:21 X is given twice here
