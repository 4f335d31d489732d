grad matrixTrace [| [| 1; 2 |]; [| 3; 4 |] |]
// error: type 1:6-1:17 argument 1 of `grad`: expected `Array<Num> => Num`, found `Array<Array<Num>> => Num`
// hint: the gradient of a number by a matrix is mgrad f m
// An operator for functions of a vector.
