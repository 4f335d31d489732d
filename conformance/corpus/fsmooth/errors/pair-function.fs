(1, sin)
// error: type 1:5-1:8 expected a value without functions
// A function in a pair.
