      IMPLICIT NONE
      INTEGER I
      I = 3
      PRINT *, I
      END
!! exact: 3
