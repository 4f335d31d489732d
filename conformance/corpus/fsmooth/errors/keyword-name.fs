let in = 3
// error: syntax 1:5-1:7 `in` cannot stand here
// hint: let f x y = e
// A keyword as a name.
