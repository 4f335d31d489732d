let add a b = a + b
2 * add
// error: type 2:5-2:8 expected `Num`, found `Num => Num => Num`
// hint: `add` takes 2 more arguments
// A function with no argument.
