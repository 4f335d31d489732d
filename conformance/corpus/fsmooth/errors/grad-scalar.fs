grad (fun x -> x + 1) [| 1 |]
// error: type 1:6-1:22 argument 1 of `grad`: expected `Array<Num> => Num`, found `Num => Num`
// The gradient of a function of a number.
