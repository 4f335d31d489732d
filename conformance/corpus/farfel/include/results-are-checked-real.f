      INCLUDE 'parts/curves.vlad'
      INTERFACE
        REAL FUNCTION NOTHING(X)
        END
      END INTERFACE
      PRINT *, NOTHING(1.)
      END
!! error: pattern 3:9-3:33 `nothing` returns no REAL for NOTHING
