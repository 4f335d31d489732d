let f v = v[ifold (fun s i -> s / 2) 8 2]
// error: type 1:13-1:41 the index of an element: expected `Index`, found `Double`
// A state that becomes a Double.
