let x = 2
x (3 + 4)
// error: type 2:1-2:2 expected a function, found `Num`
// hint: a * b
// A number that is applied.
