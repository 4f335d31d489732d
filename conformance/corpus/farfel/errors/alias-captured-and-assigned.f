      PROGRAM MAIN
        SUBROUTINE P(A)
          X = A + 1
        END
      X = 2
      CALL P(X)
      END
!! error: type 6:14-6:15 X is given to a procedure that knows it by its own name
