randomState 2.5
// error: type 1:13-1:16 expected `Index`, found `Double`
