jacob (fun v -> v[0]) [| 1 |]
// error: type 1:7-1:22 argument 1 of `jacob`
// hint: the gradient of a number by a vector is grad f v
// The Jacobian of a scalar function.
