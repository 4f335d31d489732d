      IMPLICIT NONE
      INTEGER I
      I = 3
      PRINT *, I
      END
!! expect: 3
