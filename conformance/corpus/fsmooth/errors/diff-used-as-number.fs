let f x = x * x
1 + diff f 3
// error: type 2:5-2:13 this derivative is `Num * Num`, and it is used as `Num`
// hint: snd the tangent
// A derivative that is used as a number.
