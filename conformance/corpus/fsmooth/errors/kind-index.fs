[| 1; 2 |][0.5]
// error: type 1:12-1:15 the index of an element: expected `Index`, found `Double`
// hint: lengths
// An index that is a Double.
