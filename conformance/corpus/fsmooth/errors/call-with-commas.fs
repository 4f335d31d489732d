let add a b = a + b
add (1, 2) + 1
// error: type 2:5-2:11 argument 1 of `add`: expected `Num`, found `Num * Num`
// hint: side by side
// Operands with commas between them are a pair.
