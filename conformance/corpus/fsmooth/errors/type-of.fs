let f (x : Vector<Double>) = x
// error: unbound 1:12-1:26 `Vector` has no type of elements
// A type with a type of elements.
