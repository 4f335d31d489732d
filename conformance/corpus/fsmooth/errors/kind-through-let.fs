let f v =
  let i = 1.5
  v[i]
// error: type 3:5-3:6 the index of an element: expected `Index`, found `Double`
// A Double that reaches an index by a name.
