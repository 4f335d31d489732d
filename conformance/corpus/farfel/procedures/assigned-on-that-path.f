C     The same program where the path assigns it
      READ *, N
      IF (N .EQ. 1) X = 2
      PRINT *, X + 1
      END
!! input: 1
!! exact: 3
