matrixCholesky (matrixOnes 2 1)
// error: type 1:1-1:32 of length 2, found one of length 1
