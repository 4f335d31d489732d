let f(x, y) = x + y
// error: syntax 1:8-1:9 `,` cannot stand here
// hint: without brackets: let f x y = e
// Parameters in brackets.
