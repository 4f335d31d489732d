let f x = x
let f x = x + 1
// error: duplicate 2:5-2:6 `f` is defined twice
// A name that is defined twice.
