matrixZip (matrixOnes 2 2) (matrixOnes 2 1)
// error: type 1:1-1:44 of length 2, found one of length 1
