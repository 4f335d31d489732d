diff vectorSum [| 1; 2 |]
// error: type 1:6-1:15 argument 1 of `diff`
// hint: the gradient of a number by a vector is grad f v
// An operator for functions of a number.
