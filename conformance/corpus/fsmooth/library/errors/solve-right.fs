matrixSolve (matrixEye 2) [| 1.0; 2.0; 3.0 |]
// error: type 1:1-1:46 of length 2, found one of length 3
