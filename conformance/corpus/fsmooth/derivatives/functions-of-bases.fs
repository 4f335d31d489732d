// Inverse hyperbolic functions, logarithms of bases, roots and the gamma function with their derivatives: closed forms with 40 digits.
let f x = [| asinh x; acosh (x + 1.0); atanh (x / 2.0); cbrt x; exp2 x; log2 x; log10 x; hypot x 0.75; gamma x |]
f 1.0
// exact: #(0.881373587019543 1.3169578969248168 0.5493061443340549 1 2 0 0 1.25 1)
let slope = fun x -> vectorMap (deriv (f x) x) (snd)
slope 1.0
// exact: #(0.7071067811865475 0.5773502691896258 0.6666666666666666 0.3333333333333333 1.3862943611198906 1.4426950408889634 0.4342944819032518 0.8 -0.5772156649015336)
vjp (fun x -> hypot x (gamma x)) 3.0 1.0
// exact: (3.605551275463989 . 1.855787597843218)
snd (jvp (fun x -> snd (jvp (fun x -> log10 x) x 1.0)) 2.0 1.0)
// exact: -0.10857362047581295
