let f x =
    let y = x + 1
  y
// error: syntax 2:5-2:8 this `let` has no expression that uses it
// hint: in
// A line to the left of the `let`.
