let f x = x + z
// error: unbound 1:15-1:16 `z` is not defined
// A name that is not defined.
