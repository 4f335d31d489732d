let f v = ifold (fun s i -> s + v[s]) 0 3
f [| 1.0 |]
// error: type 2:6-2:9 expected `Index`, found `Double`
// An element that becomes an index by way of the state.
