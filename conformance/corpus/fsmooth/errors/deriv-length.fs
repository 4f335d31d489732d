let f v =
  let n = length v
  deriv (n * n) n
// error: type 3:17-3:18 the variable of `deriv`: expected `Double`, found `Index`
// hint: do not vary
// A derivative by a length.
