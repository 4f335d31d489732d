// log x1 + sin x2 at (1, 3): sin 3 with the derivatives 1/x1 = 1 and cos 3, computed with 50 digits by mpmath.

let f x1 x2 = log x1 + sin x2
let x1 = 1.0
let x2 = 3.0

deriv (f x1 x2) x1
// expect: (0.141120008059867222 . 1)
deriv (f x1 x2) x2
// expect: (0.141120008059867222 . -0.989992496600445457)
grad (fun v -> f v[0] v[1]) [| x1; x2 |]
// expect: #((0.141120008059867222 . 1) (0.141120008059867222 . -0.989992496600445457))
vjp (fun v -> f v[0] v[1]) [| x1; x2 |] 1.0
// expect: (0.141120008059867222 . #(1 -0.989992496600445457))
// The second derivatives are -1/x1^2 and -sin x2; the mixed ones are 0.
hessian (fun v -> f v[0] v[1]) [| x1; x2 |]
// expect: #(#(-1 0) #(0 -0.141120008059867222))
// Of x1 sin x2 the mixed one is cos x2.
hessian (fun v -> v[0] * sin v[1]) [| x1; x2 |]
// expect: #(#(0 -0.989992496600445457) #(-0.989992496600445457 -0.141120008059867222))
