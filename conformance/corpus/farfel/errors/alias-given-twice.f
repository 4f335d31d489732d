      PROGRAM MAIN
      X = 1
      CALL P(X, X)
      END
      SUBROUTINE P(A, B)
      A = B + 1
      END
!! error: type 3:17-3:18 X is given twice here, and the procedure assigns it
!! hint: parentheses
