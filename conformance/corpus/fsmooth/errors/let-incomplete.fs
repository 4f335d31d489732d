let f x =
  let y = x +
  y
// error: syntax 2:13-2:14 not complete behind `+`
// The value of a `let` ends with an operator.
