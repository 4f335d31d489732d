(1.5 : Index)
// error: type 1:2-1:5 its type is written: expected `Index`, found `Double`
// A Double where an index is written.
