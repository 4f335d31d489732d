let f x = g x
let g x = x
// error: unbound 1:11-1:12 `g` is not defined
// A use above the definition.
