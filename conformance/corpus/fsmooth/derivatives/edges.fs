// Where functions have no derivative, or an infinite one: part 9 of the report, with `j*` written as `jvp`.

let d f = fun x -> snd (diff f x)
let infinity = 1.0 / 0.0

diff sqrt 0.0
// exact: (0 . +inf.0)
diff (fun x -> sqrt (0.0 * x)) 1.0
// exact: (0 . 0)
diff (fun x -> 0.0 * log x) 0.0
// exact: (+nan.0 . 0)
diff log (-2.0)
// exact: (+nan.0 . -0.5)
diff (fun x -> 1.0 / x) 0.0
// exact: (+inf.0 . -inf.0)
diff abs 0.0
// exact: (0 . 0)
diff (fun x -> max x 2.0) 2.0
// exact: (2 . 1)
diff (fun x -> min 2.0 x) 2.0
// exact: (2 . 0)
diff (fun x -> x ** 0.0) 0.0
// exact: (1 . 0)
diff (fun y -> 0.0 ** y) 0.0
// exact: (1 . -inf.0)
d (fun b -> d (fun a -> a ** b) 2.0) 0.0
// exact: 0.5
diff floor 2.0
// exact: (2 . 0)
diff (fun x -> modulo x 3.0) 7.0
// exact: (1 . 1)
diff (fun y -> modulo 7.0 y) 3.0
// exact: (1 . -2)
diff (fun x -> atan2 x x) 0.0
// exact: (0 . +nan.0)
diff (fun x -> x - x) infinity
// exact: (+nan.0 . 0)
// A tangent that is zero is +0, whatever made it; primals keep their signs.
diff (fun x -> -x) (0.0)
// exact: (-0 . -1)
diff (fun x -> -(0.0 * x)) 1.0
// exact: (-0 . 0)
// The product underflows to -0, which an operator does not show.
diff (fun x -> 1e-200 * (-1e-200 * x)) 1.0
// exact: (-0 . 0)
grad (fun v -> -v[0]) [| 1.0; 2.0 |]
// exact: #((-1 . -1) (-1 . 0))
// Outside of operators the product of derivatives is an operation like others.
guarded 0.0 infinity
// exact: 0
guarded (-0.0) 3.0
// exact: 0
guarded 2.0 3.0
// exact: 6
guarded infinity 3.0
// exact: +inf.0
// Also that which underflows has no sign.
guarded 1e-200 (-1e-200)
// exact: 0
diff (fun x -> guarded x infinity) 0.0
// exact: (0 . +inf.0)
diff (fun x -> guarded x x) 3.0
// exact: (9 . 6)
