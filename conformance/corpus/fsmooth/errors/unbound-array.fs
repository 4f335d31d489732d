let f (x : Array) = x
// error: unbound 1:12-1:17 type of its elements
// hint: Array<T>
// The type of arrays without that of their elements.
