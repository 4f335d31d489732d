let f x = if x > 0 then x
// error: syntax 1:25-1:26 something is missing behind a name
// hint: `else`
// A conditional with one branch.
