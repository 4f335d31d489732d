grad vectorDot [| 1; 2 |]
// error: type 1:6-1:15 argument 1 of `grad`: expected `Array<Num> => Num`
// hint: other arguments are given before, as in grad (fun v -> f v a) v
// A function of two arguments, of which one is differentiated.
