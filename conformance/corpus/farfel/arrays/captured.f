C     A nested subprogram that assigns an array around it
      REAL X(3)
        SUBROUTINE PUT(I, V)
          X(I) = V
        END
      CALL PUT(2, 5.)
      CALL PUT(3, 6.)
      PRINT *, X
      END
!! exact: 0 5 6
