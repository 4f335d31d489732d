let f v =
  let g = fun i -> v[i]
  g 1.5
// error: type 2:22-2:23 the index of an element: expected `Index`, found `Double`
// A parameter that is used as both.
