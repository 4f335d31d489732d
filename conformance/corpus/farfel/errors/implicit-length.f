      IMPLICIT REAL*8 (A-H, O-Z)
      X = 1
      END
!! error: syntax 1:20-1:21 types have no lengths
!! hint: every REAL is a double
