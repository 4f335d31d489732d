// The operators of differentiation on functions with closed forms.

// x^3 at 2: 8 and 3 * 4.
diff (fun x -> x ** 3.0) 2.0
// exact: (8 . 12)
// Functions into vectors, matrices and pairs: each number gets its tangent.
vdiff (fun x -> [| x; x * x; 5.0 |]) 3.0
// exact: #((3 . 1) (9 . 6) (5 . 0))
mdiff (fun x -> [| [| x |]; [| 2.0 * x |] |]) 3.0
// exact: #(#((3 . 1)) #((6 . 2)))
diff (fun x -> (x, [| -x |])) 3.0
// exact: ((3 . 1) . #((-3 . -1)))
diff (fun x -> (x * x, x > 1.0)) 3.0
// exact: ((9 . 6) . #t)
diff (fun x -> [||]) 3.0
// exact: #()

let f v = v[0] * v[0] * v[1]
grad f [| 3.0; 4.0 |]
// exact: #((36 . 24) (36 . 9))
grad vectorSum [||]
// exact: #()
jacob (fun v -> [| v[0] * v[1]; v[0] + v[1]; 7.0 |]) [| 3.0; 4.0 |]
// exact: #(#((12 . 4) (7 . 1) (7 . 0)) #((12 . 3) (7 . 1) (7 . 0)))
// d tr(M M) / dM = 2 M'; tr(M M) is 1 + 2 * 6 + 16.
mgrad (fun m -> matrixTrace (matrixMul m m)) [| [| 1.0; 2.0 |]; [| 3.0; 4.0 |] |]
// exact: #(#((29 . 2) (29 . 6)) #((29 . 4) (29 . 8)))
hessian f [| 3.0; 4.0 |]
// exact: #(#(8 6) #(6 0))
hessian vectorSum [||]
// exact: #()
// v' A v with A = (1 2; 3 4) has the Hessian A + A'.
let a = [| [| 1.0; 2.0 |]; [| 3.0; 4.0 |] |]
hessian (fun v -> vectorDot v (matrixMap a (vectorDot v))) [| 0.5; -1.5 |]
// exact: #(#(2 5) #(5 8))

// The function may be computed, and may be a function of the language.
diff (let k = 3.0 in fun x -> k * x) 2.0
// exact: (6 . 3)
let scale k = fun x -> k * x
diff (scale 5.0) 2.0
// exact: (10 . 5)
diff sqrt 4.0
// exact: (2 . 0.25)
diff (fun x -> x) 2.0
// exact: (2 . 1)
// Partly applied operators are functions.
vectorMap [| 1.0; 2.0 |] (diff (fun x -> x * x))
// exact: #((1 . 2) (4 . 4))
