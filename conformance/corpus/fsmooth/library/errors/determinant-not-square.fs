matrixDeterminant (matrixOnes 2 3)
// error: type 1:1-1:35 of length 2, found one of length 3
