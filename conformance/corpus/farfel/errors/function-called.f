      PROGRAM MAIN
      CALL F(1.)
      PRINT *, P(1.)
      END
      FUNCTION F(X)
      F = X
      END
      SUBROUTINE P(X)
      PRINT *, X
      END
!! error: type 2:12-2:17 F is a function, which CALL does not call
!! error: type 3:16-3:21 P is a subroutine and has no value
