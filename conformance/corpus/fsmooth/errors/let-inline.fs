let inline double x = x + x
double 3
let private a = 1
let y =
  let mutable z = 2
  z
y
// error: syntax 1:5-1:11 `let` has no `inline`
// hint: let f x = e
// error: syntax 3:5-3:12 `let` has no `private`
// hint: let f x = e
// error: syntax 5:7-5:14 `let` has no `mutable`
// hint: the state of a loop
// Words behind `let`; what is defined so is not reported as unbound.
