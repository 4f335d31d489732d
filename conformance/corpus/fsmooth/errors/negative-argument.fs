let square x = x * x
square -2
// error: type 2:1-2:7 expected `Num`, found `Num => Num`
// hint: a negative one stands in parentheses: f (-x)
