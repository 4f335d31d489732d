// Joined arrays. Values by hand.

append [| 1; 2 |] [| 3 |]
// exact: #(1 2 3)
append [| |] [| true |]
// exact: #(#t)
append [| 1 |] [| |]
// exact: #(1)
append (append [| |] [| |]) [| (1, true) |]
// exact: #((1 . #t))
// Rows of matrices.
append [| [| 1; 2 |] |] [| [| 3; 4 |]; [| 5; 6 |] |]
// exact: #(#(1 2) #(3 4) #(5 6))
// Whole numbers and others.
append (vectorRange 2) [| 0.5 |]
// exact: #(0 1 0.5)
// Lengths are indices, and so are the elements of joined ranges.
let last v w = (append v w)[length (append v w) - 1]
last [| 1 |] [| 2; 3 |]
// exact: 3
[| 5; 6; 7 |][(append (vectorRange 1) (vectorRange 3))[3]]
// exact: 7
// Elements that fail fail.
length (append [| 1 |] (build 2 (fun i -> i)))
// exact: 3
// As the state of a loop.
ifold (fun v i -> append v [| i * i |]) [| |] 4
// exact: #(0 1 4 9)
// Derivatives of (1, v, 1) . (2, v, v[0]) is 2 + v . v + v[0].
let f v = vectorDot (append [| 1 |] (append v [| 1 |])) (append [| 2 |] (append v [| v[0] |]))
grad f [| 3; 4 |]
// exact: #((30 . 7) (30 . 8))
vgradReverse f [| 3; 4 |]
// exact: #(7 8)
jacob (fun v -> append v [| v[0] * v[1] |]) [| 2; 3 |]
// exact: #(#((2 . 1) (3 . 0) (6 . 3)) #((2 . 0) (3 . 1) (6 . 2)))
