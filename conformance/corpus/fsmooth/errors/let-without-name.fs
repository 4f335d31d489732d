let = 3
// error: syntax 1:5-1:6 `=` cannot stand here
// hint: a definition is written let f x y = e
// A definition without a name.
