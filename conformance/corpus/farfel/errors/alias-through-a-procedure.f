      PROGRAM MAIN
        SUBROUTINE Q
          X = X + 1
        END
      X = 2
      CALL P(Q, X)
      END
      SUBROUTINE P(F, A)
      EXTERNAL F
      CALL F
      PRINT *, A
      END
!! error: type 6:17-6:18 X is given to a procedure that knows it by its own name
