matrixAdd (matrixOnes 2 2) (matrixOnes 2 3)
// error: TODO
