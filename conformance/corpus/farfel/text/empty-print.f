C     An empty list prints an empty line.
      PRINT *
      PRINT *, 1
      END
!! exact: 
!! exact: 1
