let order = [| 1.0; 0.0 |]
build 2 (fun i -> [| 5; 6 |][order[i]])
// error: type 2:30-2:38 the index of an element: expected `Index`, found `Double`
// An array of Doubles as indices.
