!3
// error: type 1:2-1:3 argument 1 of `!`: expected `Bool`, found `Num`
// hint: -e
// The negation of a number.
