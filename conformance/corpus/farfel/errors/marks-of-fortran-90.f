      REAL :: X
      X = 1
      IF (X == 1) PRINT *, X
      IF (X /= 1) PRINT *, 'a' // 'b'
      X = 1.5_8
      END
!! error: read 1:12-1:14 a declaration has no ::
!! error: read 3:13-3:15 comparisons are written .LT. .LE. .GT. .GE. .EQ. .NE.
!! error: read 4:13-4:15 comparisons are written
!! error: read 4:32-4:34 there is no text but that which PRINT writes
!! error: read 5:14-5:15 a number has no kind behind it
