C     An integer literal may stand for a real, also a negative one.
      PROGRAM MAIN
      PRINT *, F(3), F(-3)
      END
      FUNCTION F(X)
      F = X/2
      END
!! exact: 1.5 -1.5
