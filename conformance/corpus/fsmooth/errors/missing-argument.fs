let add a b = a + b
2 * add 1
// error: type 2:5-2:10 argument 2 of `*`: expected `Num`, found `Num => Num`
// hint: `add` takes 1 more argument
// A function with an argument too few.
