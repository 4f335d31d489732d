      LOGICAL P
      P = .TRUE.
      X = P + 1
      P = .NOT. X
      IF (X) Y = 1
      P = X
      X = P
      END
!! error: type 3:11-3:12 a number is expected here, found LOGICAL
!! error: type 4:17-4:18 LOGICAL is expected here, found REAL
!! error: type 5:11-5:12 LOGICAL is expected here, found REAL
!! error: type 6:11-6:12 REAL is assigned to a variable that is LOGICAL
!! error: type 7:11-7:12 LOGICAL is assigned to a variable that is REAL
