let f c = if c then (fun x -> x) else (fun x -> x + 1)
// error: type 1:21-1:33 a branch of `if` is no function
// A function as a branch.
