// The two partial derivatives of log x1 + sin x2, by `deriv`.
//
// `deriv e x` is e with its derivative by the variable x: a pair of a value and a tangent. Each use of it differentiates
// by one variable; all others are constants.
// Source: Shaikhha, Fitzgibbon, Vytiniotis, Peyton Jones and Koch, "Efficient differentiable programming in a functional
// array-processing language" (2018), section 1.
// Expected: the pairs of sin 3 with the derivatives 1/x1 = 1 and cos 3; then the mixed second derivative, 0, and
// that of x1 * sin x2, which is cos 3.
// Run: vlad examples/fsmooth/partial-derivatives.fs

let f x1 x2 = log x1 + sin x2
let x1 = 1.0
let x2 = 3.0

deriv (f x1 x2) x1
// exact: (0.1411200080598672 . 1)
deriv (f x1 x2) x2
// exact: (0.1411200080598672 . -0.9899924966004454)

snd (snd (deriv (deriv (f x1 x2) x1) x2))
// exact: 0
snd (snd (deriv (deriv (x1 * sin x2) x1) x2))
// exact: -0.9899924966004454
