C     HALVES returns two elements: one too few for three, and a half for integers.
      INCLUDE 'parts/curves.vlad'
      INTERFACE
        SUBROUTINE HALVES(V)
        INTEGER V(*)
        INTENT (IN OUT) V
        END
      END INTERFACE
      INTEGER V(2), W(3)
      V(1) = 2
      V(2) = 4
      CALL HALVES(V)
      PRINT *, V
      CALL HALVES(W)
      END
!! exact: 1 2
!! error: pattern 4:9-4:29 `halves` returns a vector of another size for V
