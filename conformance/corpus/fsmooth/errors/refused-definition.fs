let f x = x + true
f 1
let g x = f x
// error: type 1:15-1:19 argument 2 of `+`
// Uses of a definition with an error are not reported as well.
