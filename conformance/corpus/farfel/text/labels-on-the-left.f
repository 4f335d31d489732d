10 X = 1
   20 Y = 2
300Z = 3
PRINT *, X, Y, Z
END
!! exact: 1 2 3
