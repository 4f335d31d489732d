let f x = (fst (x + true, 1)) 2.0
let g x = (fst (sin, 1)) 2.0
// error: type 1:21-1:25 argument 2 of `+`: expected `Num`, found `Bool`
// error: type 1:31-1:34 expected a function, found `Num`
// error: type 2:17-2:20 argument 1 of `pair`
// What an error has left open may be a function; what is known to be a number is none.
