matrixSolve (matrixOnes 3 2) [| 1.0; 2.0; 3.0 |]
// error: type 1:1-1:49 of length 3, found one of length 2
