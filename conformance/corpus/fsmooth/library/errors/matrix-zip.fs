matrixZip (matrixOnes 2 2) (matrixOnes 2 1)
// error: TODO
