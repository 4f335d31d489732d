let f x = x + 1
f 1 2
// error: type 2:5-2:6 `f` takes 1 argument, and this is one more
// A function with an argument too many.
