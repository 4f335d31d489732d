let mutable x = 5
x + 1
// error: syntax 1:5-1:12 `let` has no `mutable`
// hint: names do not change
