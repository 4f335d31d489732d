let f x = deriv (fun y -> x * y) x
// error: type 1:17-1:33 the expression of `deriv`
// A derivative of a function.
