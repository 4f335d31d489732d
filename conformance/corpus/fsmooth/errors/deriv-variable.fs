let f x = deriv (x * x) (x + 1)
// error: syntax 1:25-1:26 `(` cannot stand here
// A `deriv` by an expression.
