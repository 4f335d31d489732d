let f x =
  let y = x + 1
// error: syntax 2:3-2:6 this `let` has no expression that uses it
// hint: column of the `let`
// A `let` at the end of a function.
