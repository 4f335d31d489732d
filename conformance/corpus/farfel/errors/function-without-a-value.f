      PROGRAM MAIN
      PRINT *, F(1.)
      END
      FUNCTION F(X)
      Y = X
      END
!! error: type 4:16-4:17 the function F never gets a value
!! hint: F = ..
