let f (v : Array Double) = v[0]
let g = fun (m : Array (Array Double)) -> m[0][0]
// error: syntax 1:18-1:24 a name cannot stand here
// hint: Array<T>
// error: syntax 2:24-2:25 `(` cannot stand here
// hint: Array<T>
// The elements of an array as an operand of its type.
