let rec factorial n = if n == 0 then 1 else n * factorial (n - 1)
factorial 5
// error: syntax 1:5-1:8 `let` has no `rec`
// hint: there is no recursion
