ofLength [| 1 |] 1.5
// error: type 1:18-1:21 the length of an array: expected `Index`, found `Double`
// A length that is a Double.
