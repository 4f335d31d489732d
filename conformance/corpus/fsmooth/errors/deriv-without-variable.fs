let f x = deriv (x * x)
// error: syntax 1:23-1:24 something is missing behind `)`
// hint: the name of a variable
