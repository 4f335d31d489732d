let f = x -> x
// error: syntax 1:11-1:13 `->` cannot stand here
// hint: fun x -> e
// A function without `fun`.
