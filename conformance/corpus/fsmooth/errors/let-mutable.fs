let mutable x = 5
x + 1
// error: unbound 2:1-2:2 `x` is not defined
// hint: names do not change
