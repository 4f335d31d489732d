matrixAdd (matrixEye 2) (matrixEye 3)
// error: TODO
