let squared x = x * x
sqared 3
// error: unbound 2:1-2:7 `sqared` is not defined
// hint: did you mean `squared`?
// A name with a slip.
