matrixTrace [| [| 1.0 |]; [| 3.0 |] |]
// error: TODO
