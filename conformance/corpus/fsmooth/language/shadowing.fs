// Names of the language and of the library can be defined again. What lowered code needs is not touched. Values by hand.

let build n = n + 1
let ifold x = x * 2
build 1 + ifold 3
// exact: 8
let get a b = a - b
get 5 3 + [| 1; 2 |][1]
// exact: 4
let sin x = x
sin 5
// exact: 5
let vgradReverse f = 7
vgradReverse 1
// exact: 7
let cons car = car
let lambda cons = cons
lambda (cons 3)
// exact: 3
let car = 1
let cdr x = fst (x, car)
cdr 4
// exact: 4
fun length -> length + 1
// exact: #<procedure>
