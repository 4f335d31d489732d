      PROGRAM MAIN
        SUBROUTINE Q(A)
          X = X + A
        END
      X = 1
      CALL P(X, X)
      CALL Q(X)
      END
      SUBROUTINE P(A, B)
      A = B + 1
      END
!! error: type 6:17-6:18 X is given twice here, and the procedure assigns it: an alias
!! error: type 7:14-7:15 X is given to a procedure that knows it by its own name, and is assigned there: an alias
