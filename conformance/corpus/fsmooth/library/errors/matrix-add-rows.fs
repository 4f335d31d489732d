matrixAdd (matrixEye 2) (matrixEye 3)
// error: type 1:1-1:38 of length 2, found one of length 3
