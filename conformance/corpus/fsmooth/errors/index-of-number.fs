let x = 3
x[0]
// error: type 2:1-2:2 argument 1 of `get`: expected `Array<
// An element of a number.
