C     The sum is 1 + 2 + 3 + 4 + 5 in five ways of continuing a line.
      X = 1 +
     1    2 +
     $    3 &
C     a comment between
        + 4 &   ! and one behind
        & + 5
      PRINT *, X
      Y = 1
+ + 2
      PRINT *, Y
      END
!! exact: 15
!! exact: 3
