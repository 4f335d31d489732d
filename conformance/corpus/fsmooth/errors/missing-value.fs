let f x =
// error: syntax 1:9-1:10 something is missing behind `=`
// hint: an expression has to follow
// A definition without a value.
