let f x =
  let y = x let z = y
  z
// error: syntax 2:13-2:16 this `let` has no expression that uses it
// hint: `in`
// Two `let`s on a line.
