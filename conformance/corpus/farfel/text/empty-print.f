C     An empty list prints an empty line.
      PRINT *
      PRINT *, 1
      END
!! exact: 
!! expect: 1
