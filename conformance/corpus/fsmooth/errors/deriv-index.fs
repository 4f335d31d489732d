build 3 (fun i -> deriv (i * i) i)
// error: type 1:33-1:34 the variable of `deriv`: expected `Double`, found `Index`
// hint: do not vary
// A derivative by a loop index.
