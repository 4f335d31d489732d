let v = [| 1; 2; 3 |]
let f n = v[n / 2]
f 1
f 2
// error: type 2:13-2:18 the index of an element: expected `Index`, found `Double`
