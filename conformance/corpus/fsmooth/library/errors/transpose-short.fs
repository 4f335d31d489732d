matrixTranspose [| [| 1.0; 2.0 |]; [| 3.0 |] |]
// error: type 1:1-1:48 a whole number below 1, the length of the vector, as index, found 1
