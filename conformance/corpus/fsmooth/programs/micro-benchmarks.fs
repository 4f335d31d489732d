// Derivatives of vector expressions that are known in advance: of v . w by v it is w, of max v the unit vector of the
// largest element, of v + w by v the identity, of v s by s it is v. The values are those of the expressions, by hand.

let v = [| 1.0; 4.0; 2.0; -3.0 |]
let w = [| 3.0; -1.0; 0.5; 2.0 |]
let s = -2.0

deriv (vectorDot v w) v
// exact: #((-6 . 3) (-6 . -1) (-6 . 0.5) (-6 . 2))
vjp (fun v -> vectorDot v w) v 1.0
// exact: (-6 . #(3 -1 0.5 2))

deriv (vectorMax v) v
// exact: #((4 . 0) (4 . 1) (4 . 0) (4 . 0))
grad vectorMax [| -5.0; -7.0; -2.0 |]
// exact: #((-2 . 0) (-2 . 0) (-2 . 1))
grad vectorMax [| -5.0 |]
// exact: #((-5 . 1))
vjp vectorMax v 1.0
// exact: (4 . #(0 1 0 0))

vectorAdd v w
// exact: #(4 3 2.5 -1)
matrixMap (deriv (vectorAdd v w) v) (fun row -> vectorMap row (fst))
// exact: #(#(4 3 2.5 -1) #(4 3 2.5 -1) #(4 3 2.5 -1) #(4 3 2.5 -1))
matrixMap (deriv (vectorAdd v w) v) (fun row -> vectorMap row (snd))
// exact: #(#(1 0 0 0) #(0 1 0 0) #(0 0 1 0) #(0 0 0 1))
matrixMap (jacob (vectorAdd v) w) (fun row -> vectorMap row (snd))
// exact: #(#(1 0 0 0) #(0 1 0 0) #(0 0 1 0) #(0 0 0 1))
vjp (fun v -> vectorAdd v w) v w
// exact: (#(4 3 2.5 -1) . #(3 -1 0.5 2))

deriv (vectorSMul v s) s
// exact: #((-2 . 1) (-8 . 4) (-4 . 2) (6 . -3))
vdiff (vectorSMul v) s
// exact: #((-2 . 1) (-8 . 4) (-4 . 2) (6 . -3))
// By reverse mode the cotangent of s is v . w.
vjp (vectorSMul v) s w
// exact: (#(-2 -8 -4 6) . -6)
