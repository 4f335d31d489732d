let half x = quotient x 2
build (half 2.5) (fun i -> i)
// error: type 2:13-2:16 expected `Index`, found `Double`
let third = quotient 2.5 3
// error: type 4:22-4:25 an operand of `quotient`: expected `Index`, found `Double`
// hint: its whole part is floor (a / b)
