// log x1 + sin x2 at (1, 3): sin 3 with the derivatives 1/x1 = 1 and cos 3, computed with 50 digits by mpmath.

let f x1 x2 = log x1 + sin x2
let x1 = 1.0
let x2 = 3.0

deriv (f x1 x2) x1
// exact: (0.1411200080598672 . 1)
deriv (f x1 x2) x2
// exact: (0.1411200080598672 . -0.9899924966004454)
grad (fun v -> f v[0] v[1]) [| x1; x2 |]
// exact: #((0.1411200080598672 . 1) (0.1411200080598672 . -0.9899924966004454))
vjp (fun v -> f v[0] v[1]) [| x1; x2 |] 1.0
// exact: (0.1411200080598672 . #(1 -0.9899924966004454))
// The second derivatives are -1/x1^2 and -sin x2; the mixed ones are 0.
hessian (fun v -> f v[0] v[1]) [| x1; x2 |]
// exact: #(#(-1 0) #(0 -0.1411200080598672))
// Of x1 sin x2 the mixed one is cos x2.
hessian (fun v -> v[0] * sin v[1]) [| x1; x2 |]
// exact: #(#(0 -0.9899924966004454) #(-0.9899924966004454 -0.1411200080598672))
