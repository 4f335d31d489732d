[| 1 |] + [| 2 |]
// error: type 1:1-1:8 argument 1 of `+`: expected `Num`, found `Array<Num>`
// hint: vectorAdd
// An array as an operand.
