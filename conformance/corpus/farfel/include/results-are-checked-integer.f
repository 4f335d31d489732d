      INCLUDE 'parts/curves.vlad'
      INTERFACE
        INTEGER FUNCTION HALF(N)
        END
      END INTERFACE
      PRINT *, HALF(4)
      PRINT *, HALF(3)
      END
!! exact: 2
!! error: pattern 3:9-3:33 `half` returns no INTEGER for HALF
