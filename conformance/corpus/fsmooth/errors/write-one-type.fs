let n = write 3
build n (fun i -> i)
let e = write [| |]
append e [| 1 |]
append e [| true |]
// error: type 2:7-2:8 expected `Index`, found `Double`
// error: type 5:10-5:20 argument 2 of `append`: expected `Array<Num>`, found `Array<Bool>`
// A definition that writes has one type.
