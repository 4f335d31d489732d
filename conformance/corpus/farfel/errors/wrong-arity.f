      PROGRAM MAIN
      PRINT *, F(1., 2.)
      CALL P
      END
      FUNCTION F(X)
      F = X
      END
      SUBROUTINE P(X)
      X = 1
      END
!! error: type 2:16-2:25 F takes one argument, found 2
!! error: type 3:12-3:13 P takes one argument, found 0
