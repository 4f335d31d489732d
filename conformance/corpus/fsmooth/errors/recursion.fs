let f n = if n = 0 then 1 else n * f (n - 1)
// error: unbound 1:36-1:37 `f` is not defined
// hint: loops are written with build and ifold
// A definition that uses itself.
