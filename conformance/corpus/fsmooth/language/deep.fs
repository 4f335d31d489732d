// A definition that is not used is evaluated all the same, and an expression without a value that varies is printed.

let unused = build 2 (fun i -> i)
let also x = unused[x]
also 1
// exact: 1
let many a b c d e f g h i j k l = a + b + c + d + e + f + g + h + i + j + k + l
many 1 2 3 4 5 6 7 8 9 10 11 12
// exact: 78
(many 1 2 3) 4 5 6 7 8 9 10 11 12
// exact: 78
ofLength [| 1; 2 |] 2
// exact: #(1 2)
guarded 0 (1.0 / 0.0) + guarded 2 3
// exact: 6
negate 3 + negate (negate 1)
// exact: -2
