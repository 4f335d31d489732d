// Gradients of reductions that users write, at points of 8 and of 40 numbers: forward mode, and reverse mode where rewriting takes it. The
// numbers are those of the closed forms with 60 digits (mpmath): 2 (x - m) / n for the variance, -(log p + H) / t for the entropy H of p = x / t,
// the softmax for the logarithm of a sum of exponentials, G / (n x) for the geometric mean G, and 1 at the place of the maximum.

let data n = build n (fun i -> 1.0 + modulo (3 * i) n / 8.0)
let largest v = ifold (fun s i -> if v[i] > s then v[i] else s) v[0] (length v)
let lse v =
  let m = ifold (fun s i -> if v[i] > s then v[i] else s) v[0] (length v)
  m + log (ifold (fun s i -> s + exp (v[i] - m)) 0 (length v))
let variance v =
  let m = vectorSum v / length v
  let d = vectorMap v (fun a -> a - m)
  vectorDot d d / length v
let entropy v =
  let p = vectorSMul v (1.0 / vectorSum v)
  -(vectorDot p (vectorMap p (log)))
let mean v = ifold (fun p i -> p * v[i] ** (1.0 / length v)) 1.0 (length v)
let ends g = ((fst g[0], snd g[0]), snd g[length g - 1])

// tolerance: 2e-14
ends (grad largest (data 8))
// expect: ((1.875 . 0) . 0)
ends (grad lse (data 8))
// expect: ((3.5576154393761192 . 0.07748929824057664) . 0.14476906818221713)
ends (grad variance (data 8))
// expect: ((0.08203125 . -0.109375) . 0.046875)
ends (grad entropy (data 8))
// expect: ((2.0593534733991494 . 0.03330378799739607) . -0.00891428294014313)
ends (grad mean (data 8))
// expect: ((1.4082139666872717 . 0.17602674583590897) . 0.10832415128363629)
ends (grad largest (data 40))
// expect: ((5.875 . 0) . 0)
snd (grad largest (data 40))[13]
// expect: 1
ends (grad lse (data 40))
// expect: ((8.009529835313712 . 0.000903233156913595) . 0.09213228674542791)
ends (grad variance (data 40))
// expect: ((2.08203125 . -0.121875) . 0.109375)
ends (grad entropy (data 40))
// expect: ((3.595211213899529 . 0.009661183296051614) . -0.002900423599151904)
ends (grad mean (data 40))
// expect: ((3.087919274757282 . 0.07719798186893205) . 0.01372408566558792)

// By a matrix of 4 rows and 10 columns, and by a matrix and a vector at once: the elements over the norm.
let m = build 4 (fun i -> build 10 (fun j -> 1.0 + (i + 2 * j) / 4.0))
let norm m = sqrt (ifold (fun s i -> hypot s (vectorNorm m[i])) 0.0 (length m) ** 2.0)
let g = mgrad norm m
(g[1][1], snd g[3][9])
// expect: ((24.72347063015223 . 0.07078294249941335) . 0.25279622321219053)
let both = (m, [| 3.0; -4.0 |])
let d = deriv (hypot (norm (fst both)) (vectorNorm (snd both))) both
(snd (fst d)[3][9], snd (snd d)[1])
// expect: (0.24777992643672767 . -0.15857915291950572)

// The product of the Hessian 2 (I - 1/n) / n of the variance and a vector w: 2 (w - mean of w) / n.
let product v w = vectorMap (grad (fun v -> vectorDot w (vectorMap (grad variance v) (snd))) v) (snd)
let h = product (data 40) (build 40 (fun i -> i))
(h[0], h[33])
// expect: (-0.975 . 0.675)

// A point without numbers has none, and an error of the function at one of 40 is that of the program as it is written.
grad (fun v -> v[0]) [| |]
// exact: #()
let missing v = ifold (fun s i -> s * v[i + 1]) 1.0 (length v)
grad missing (data 40)
// error: type 64:39-64:47 `v[i]` expects a whole number below 40
