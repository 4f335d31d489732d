let f x = ((((((((((x, 1), 1), 1), 1), 1), 1), 1), 1), 1), 1)
1 + f 1
// error: type 2:5-2:8 found `(((((((... * Num) * Num) * Num) * Num) * Num) * Num) * Num) * Num`
// A type that is nested deeply is shown in part.
