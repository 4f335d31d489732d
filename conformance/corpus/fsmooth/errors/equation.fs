x = 3
x + 1
let f y =
  z = y
f 1
// error: unbound 1:1-1:2 `x` is not defined
// hint: a definition is written let x = e
// error: unbound 2:1-2:2 `x` is not defined
// hint: a definition is written let x = e
// error: unbound 4:3-4:4 `z` is not defined
// hint: `x = e` compares
// Equations where definitions are meant.
