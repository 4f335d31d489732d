let rec factorial n = if n == 0 then 1 else n * factorial (n - 1)
factorial 5
// error: unbound 2:1-2:10 `factorial` is not defined
// hint: there is no recursion
