let middle v = v[length v / 2]
// error: type 1:18-1:30 the index of an element: expected `Index`, found `Double`
// A quotient as an index.
