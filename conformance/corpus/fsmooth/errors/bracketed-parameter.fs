let f(x) = x + 1
// error: syntax 1:8-1:9 `)` cannot stand here
// hint: without brackets: let f x y = e
// A parameter in brackets.
