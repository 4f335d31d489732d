grad (fun x -> x + 1) [| 1 |]
// error: type 1:6-1:22 argument 1 of `grad`: expected `Array<Num> => Num`, found `Num => Num`
// hint: the derivative of a function of one number is diff f x
// The gradient of a function of a number.
