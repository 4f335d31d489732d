fst [| 1; 2 |]
// error: type 1:5-1:15 argument 1 of `fst`
// hint: v[i]
// The first part of an array.
