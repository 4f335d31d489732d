let f x =
  let y = x
  y + 1
  y
// error: syntax 4:3-4:4 ends before this line
// hint: indent the line further
// Two expressions behind a `let`.
