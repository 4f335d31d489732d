matrixMul (matrixOnes 2 3) (matrixOnes 2 3)
// error: TODO
