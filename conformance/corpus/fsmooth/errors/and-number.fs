true && 1
// error: type 1:9-1:10 argument 2 of `&&`: expected `Bool`, found `Num`
// A conjunction of numbers.
