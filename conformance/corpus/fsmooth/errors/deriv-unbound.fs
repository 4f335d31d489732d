deriv 3 q
// error: unbound 1:9-1:10 `q` is not defined
// A derivative by an unbound name.
