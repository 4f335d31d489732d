C     INTEGER F states that the procedure F returns an integer.
      PROGRAM MAIN
        INTEGER FUNCTION HALF(I)
          HALF = I/2
        END
      PRINT *, TWICE(HALF, 7)
      END
      FUNCTION TWICE(F, I)
      INTEGER F
      TWICE = F(I) + F(I)
      END
!! exact: 6
