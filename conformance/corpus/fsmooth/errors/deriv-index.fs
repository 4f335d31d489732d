build 3 (fun (i : Index) -> deriv (i * i) i)
// error: type 1:43-1:44 the variable of `deriv`: expected `Double`, found `Index`
// hint: do not vary
// A derivative by a loop index.
