matrixMul (matrixOnes 2 3) (matrixOnes 2 3)
// error: type 1:1-1:44 of length 3, found one of length 2
