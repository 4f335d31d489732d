// The special functions, their first derivatives in forward and reverse mode, and a second one: closed forms with 40 digits.
let f x = [| erf x; erfc x; lgamma x; polygamma 0 x; polygamma 2 x; log1p x; expm1 x |]
let x = 0.5
f x
// exact: #(0.5204998778130465 0.4795001221869535 0.5723649429247001 -1.9635100260214235 -16.828796644234316 0.4054651081081644 0.6487212707001282)
vectorMap (deriv (f x) x) (snd)
// exact: #(0.8787825789354448 -0.8787825789354448 -1.9635100260214235 4.93480220054468 97.40909103400244 0.6666666666666666 1.6487212707001282)
vjp (fun x -> erf x * lgamma x) x 1.0
// exact: (0.2979158828567777 . -0.5190223879932362)
snd (jvp (fun x -> snd (jvp (fun x -> lgamma x) x 1.0)) x 1.0)
// exact: 4.93480220054468
