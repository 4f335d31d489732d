let f x = (let y = x + 1)
// error: syntax 1:12-1:15 this `let` has no expression that uses it
// A `let` that a bracket ends.
