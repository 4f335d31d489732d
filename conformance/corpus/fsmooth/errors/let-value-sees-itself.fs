let g x =
  let y = y + 1
  y
// error: unbound 2:11-2:12 `y` is not defined
// A `let` that uses itself.
