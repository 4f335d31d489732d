let f x = k + k * x
let g x = k
// error: unbound 1:11-1:12 `k` is not defined
// error: unbound 2:11-2:12 `k` is not defined
// An unbound name is reported once in an item.
