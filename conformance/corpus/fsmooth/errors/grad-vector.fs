grad (fun v -> vectorMap v sin) [| 1; 2 |]
// error: type 1:6-1:32 argument 1 of `grad`: expected `Array<Num> => Num`, found `Array<Num> => Array<Num>`
// hint: the Jacobian of a vector by a vector is jacob f v
// An operator for functions whose value is a number.
