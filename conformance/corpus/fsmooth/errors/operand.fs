1 + true
// error: type 1:5-1:9 argument 2 of `+`: expected `Num`, found `Bool`
// A boolean as an operand.
