      REAL X(3), Y(2, 2)
      X(1.5) = 1
      Y(1) = 2
      Z = X + 1
      X = 1
      END
!! error: type 2:9-2:12 INTEGER is expected here, found REAL
!! error: type 3:7-3:11 Y has 2 dimensions, found 1 subscripts
!! error: type 4:11-4:12 a whole array is no value here
!! error: type 5:7-5:8 X is an array
!! hint: DO loop
