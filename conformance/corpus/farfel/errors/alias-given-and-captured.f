      PROGRAM MAIN
        SUBROUTINE P(A)
          A = 1
          PRINT *, X
        END
      X = 2
      CALL P(X)
      END
!! error: type 7:14-7:15 X is given to a procedure that knows it by its own name
