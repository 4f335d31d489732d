ifold (fun s i -> s) 0 (floor 2.5)
// error: type 1:24-1:35 the number of iterations: expected `Index`, found `Double`
// A count that is a Double.
