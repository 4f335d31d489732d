let d = (1, 2)
d * 2
// error: type 2:1-2:2 argument 1 of `*`: expected `Num`, found `Num * Num`
// hint: fst and snd
// A pair as an operand.
