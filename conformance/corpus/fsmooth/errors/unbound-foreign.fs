ln 2
// error: unbound 1:1-1:3 `ln` is not defined
// hint: called log
// A name of other languages.
