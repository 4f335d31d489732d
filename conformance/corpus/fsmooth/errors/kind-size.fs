let f x = build (x * 0.5) (fun i -> i)
// error: type 1:17-1:26 the size of an array: expected `Index`, found `Double`
// A size that is a Double.
