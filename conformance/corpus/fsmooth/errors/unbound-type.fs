let f (x : Real) = x
// error: unbound 1:12-1:16 `Real` is no type
// hint: the types are Double
// A type that is not known.
