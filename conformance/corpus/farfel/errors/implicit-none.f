      IMPLICIT NONE
      INTEGER I
      I = 1
      X = 2
      END
!! error: unbound 4:7-4:8 X is not declared
