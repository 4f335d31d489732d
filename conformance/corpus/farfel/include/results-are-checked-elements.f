      INCLUDE 'parts/curves.vlad'
      INTERFACE
        SUBROUTINE HALVES(V)
        INTEGER V(2)
        INTENT (INOUT) V
        END
      END INTERFACE
      INTEGER V(2)
      V(2) = 3
      CALL HALVES(V)
      END
!! error: pattern 3:9-3:29 an element that is no INTEGER
