* a star, and a C or c in column 1 with a blank behind it
C
c     another
! and anything from an exclamation mark

      X = 3 ! also here
      PRINT *, 'no ! comment', X
      END
!! exact: no ! comment 3
