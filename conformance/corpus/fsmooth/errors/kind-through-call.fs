let at v i = v[i]
at [| 1; 2 |] 1.5
// error: type 2:15-2:18 expected `Index`, found `Double`
// A Double that reaches an index in another definition.
