C     X is assigned in MAIN, so it is a variable there, and the function X is another thing.
      PROGRAM MAIN
      X = 3
      PRINT *, X, Y(2.)
      END
      FUNCTION X(A)
      X = A + 1
      END
      FUNCTION Y(A)
      Y = X(A)*10
      END
!! exact: 3 30
