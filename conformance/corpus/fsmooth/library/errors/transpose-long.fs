matrixTranspose [| [| 1; 2 |]; [| 3; 4; 5 |] |]
// error: type 1:1-1:48 of length 2, found one of length 3
