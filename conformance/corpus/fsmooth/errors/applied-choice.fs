let c = true
(if c then (sin) else (cos)) 1.0
// error: type 2:12-2:17 a branch of `if` is no function
// A choice of functions that is applied: one mistake, one error.
