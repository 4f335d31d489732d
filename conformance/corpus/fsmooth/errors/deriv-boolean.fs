let f b = deriv (if b then 1 else 2) b
// error: type 1:11-1:39 expected a variable of numbers behind `deriv`, found `Bool`
// A derivative by a boolean.
