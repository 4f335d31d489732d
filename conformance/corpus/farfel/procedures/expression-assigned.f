C     What is assigned to the parameter for an expression is dropped.
      PROGRAM MAIN
      X = 1
      CALL P((X))
      CALL P(X + 0)
      PRINT *, X
      CALL P(X)
      PRINT *, X
      END
      SUBROUTINE P(Y)
      Y = 10*Y + 5
      END
!! exact: 1
!! exact: 15
