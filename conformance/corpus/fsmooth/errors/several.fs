let f x = x + true
let g x = x + (1 < 2)
// error: type 1:15-1:19 argument 2 of `+`
// error: type 2:15-2:22 argument 2 of `+`
// Errors of several items are reported in order.
