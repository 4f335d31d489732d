// The gradient of x' A x is (A + A') x, also where A is defined at top level: by hand, for A = [1 2; 3 4] and x = (1, -1),
// (2 5; 5 8) x = (-3, -3). The derivative by v of the sum of a_i v_i is a.
let a = [| [| 1; 2 |]; [| 3; 4 |] |]
let form x = vectorDot x (build (length a) (fun k -> vectorDot a[k] x))
let gradient x = vectorMap (grad form x) (snd)
gradient [| 1; -1 |]
// exact: #(-3 -3)
let weights = build 3 (fun i -> i + 1)
let weighted v = vectorDot v weights
vectorMap (grad weighted [| 0.5; 0.5; 0.5 |]) (snd)
// exact: #(1 2 3)
// A pair of a number and an array: the derivative of 2 x + 3 x by x is 5.
let both = (2.0, [| 3.0 |])
let sum x = fst both * x + (snd both)[0] * x
snd (diff sum 7)
// exact: 5
