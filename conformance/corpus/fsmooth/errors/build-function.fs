build 3 (fun i -> fun x -> x + i)
// error: type 1:9-1:34 argument 2 of `build`
// An array of functions.
