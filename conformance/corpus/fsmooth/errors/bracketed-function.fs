build 3 (fun (i) -> i)
// error: syntax 1:16-1:17 `)` cannot stand here
// hint: without brackets: fun x y -> e
// The parameter of a function in brackets.
