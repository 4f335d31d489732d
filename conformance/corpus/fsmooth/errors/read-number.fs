let x = 12ab
// error: read 1:9-1:13 `12ab` is no number
// hint: a name begins with a letter
// A number that is none.
