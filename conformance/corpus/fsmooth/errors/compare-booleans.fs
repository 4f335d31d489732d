true = (1 < 2)
// error: type 1:1-1:5 argument 1 of `==`: expected `Num`, found `Bool`
// hint: only numbers are compared
// Booleans that are compared.
