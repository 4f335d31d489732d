let f = fun x -> x x
// error: type 1:18-1:19 contains itself
// hint: not applied to itself
// A function that is applied to itself.
