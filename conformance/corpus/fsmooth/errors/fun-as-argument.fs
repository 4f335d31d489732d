build 3 fun i -> i
// error: syntax 1:9-1:12 `fun` cannot stand here
// hint: (fun x -> e)
// A function as an argument without parentheses.
