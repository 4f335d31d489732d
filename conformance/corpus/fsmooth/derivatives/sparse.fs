// Jacobians of which most places are 0. By hand: output k < n is v[0] v[2+k], output n + k is v[1] + v[2+k], so row 0
// (the derivatives by v[0]) is v[2+k] and 0, row 1 is 0 and 1, and row 2 + k has v[0] at k and 1 at n + k.

let halves n v = build (2 * n) (fun k -> if k < n then v[0] * v[2 + k] else v[1] + v[2 + (k - n)])
let jacobian n v = matrixMap (jacob (halves n) v) (fun row -> vectorMap row (snd))

jacobian 2 [| 3.0; 5.0; 7.0; 11.0 |]
// exact: #(#(7 11 0 0) #(0 0 1 1) #(3 0 1 0) #(0 3 0 1))
// Inputs behind those that are used, and no output.
jacobian 1 [| 3.0; 5.0; 7.0; 11.0 |]
// exact: #(#(7 0) #(0 1) #(3 1) #(0 0))
jacobian 0 [| 3.0; 5.0 |]
// exact: #(#() #())
jacobian 0 [||]
// exact: #()
// The same by the operator of the engines.
let byJvp n v = build (length v) (fun i -> snd (jvp (halves n) v (vectorHot (length v) i)))
let difference a b = vectorNorm (vectorMap (matrixMap2 a b (fun r s -> vectorMap2 r s (-))) vectorNorm)
difference (jacobian 2 [| 3.0; 5.0; 7.0; 11.0 |]) (byJvp 2 [| 3.0; 5.0; 7.0; 11.0 |])
// exact: 0

// Row i is not 0 where 2 k + 1 = i, where k = i - 3, and at place 2 for input 4. Output k is v[2k+1] v[k+3] + (v[4]
// if k = 2); with v[j] = j + 1 and 4 outputs: (2 4), (4 5), (6 6) + 5, (8 7).
let bands n v = build n (fun k -> v[2 * k + 1] * v[k + 3] + (if k == 2 then v[4] else 0.0))
let rows n v = matrixMap (jacob (bands n) v) (fun row -> vectorMap row (snd))
bands 4 (vectorMap (vectorRange 8) (fun j -> j + 1.0))
// exact: #(8 20 41 56)
rows 4 (vectorMap (vectorRange 8) (fun j -> j + 1.0))
// exact: #(#(0 0 0 0) #(4 0 0 0) #(0 0 0 0) #(2 5 0 0) #(0 4 1 0) #(0 0 12 0) #(0 0 0 8) #(0 0 0 7))

// Loops of few turns: a point of two coordinates, by its norm and a turn. At (3, 4) and factor 2: 2 * 5 + 3 - 4, with
// derivatives 2 * 3/5 + 1 and 2 * 4/5 - 1, and 5 by the factor.
let turned p = build 2 (fun i -> p[1 - i] * (if i == 0 then -1.0 else 1.0))
let form s p = let q = turned p in s * sqrt (vectorDot q q) + vectorSum q
form 2.0 [| 3.0; 4.0 |]
// exact: 9
vectorMap (grad (form 2.0) [| 3.0; 4.0 |]) (snd)
// exact: #(2.2 0.6000000000000001)
snd (diff (fun s -> form s [| 3.0; 4.0 |]) 2.0)
// exact: 5

// What depends on the input alone but is no number stays beside what uses it. The output k of `chosen` is sin v[1] for x <= 1, so
// only row 1 is not 0: cos 2 = -0.41614683654714241. Output k of `branched` is v[0] v[1] v[k] for v[0] > 1: at (2, 0.5) it is
// (2, 0.5), with derivatives 2 v[0] v[1] and v[1]^2 by v[0], v[0]^2 and 2 v[0] v[1] by v[1]; at (0.5, 2) it is v[1] v[k].
let chosen n x v = build n (fun k -> sin (if x > 1.0 then v[0] else v[1]))
matrixMap (jacob (chosen 2 0.5) [| 0.5; 2.0 |]) (fun row -> vectorMap row (snd))
// exact: #(#(0 0) #(-0.4161468365471424 -0.4161468365471424))
let branched n v = build n (fun k -> (if v[0] > 1.0 then v[0] * v[1] else v[1]) * v[k])
let rowsOf f v = matrixMap (jacob f v) (fun row -> vectorMap row (snd))
rowsOf (branched 2) [| 2.0; 0.5 |]
// exact: #(#(2 0.25) #(4 2))
rowsOf (branched 2) [| 0.5; 2.0 |]
// exact: #(#(2 0) #(0.5 4))
let pairs m n v = build m (fun j -> build n (fun k ->
  let a = (if v[0] > 1.0 then (v[1], if j == 0 then 1.0 else 0.0) else (v[0], 0.0))
  fst a * snd a + v[k]))
pairs 2 2 [| 2.0; 0.5 |]
// exact: #(#(2.5 1) #(2 0.5))

// What a branch tells of an index holds in that branch alone: v[2 k] is read for k < n.
let ofBranch n v = build (2 * n) (fun k ->
  if k < n then fst (1.0, exp (exp v[2 * k])) else if k < n + 1 then 10.0 else 20.0)
ofBranch 2 [| 0.0; 0.0; 0.0 |]
// exact: #(1 1 10 20)

// A number that only a condition uses. With y = w[k]^2 + 1 - w[k] it is 1 and 3 for w = (0, 2), and exp y * y is e and 60.3, so output 0 is
// v[0] v[1] c, c = sin (cos 2) = -0.40423915..., and output 1 is v[1]^2 d, d = cos (sin 6) = 0.96121680...; at (0.5, 2).
let byCondition v w = build (length w) (fun k ->
  let y = w[k] * w[k] + 1.0 - w[k]
  let x = exp y * y
  if x < 3.0 && 0.5 < x then v[0] * sin (cos (y + 1.0)) * v[1] else v[1] * v[1] * cos (sin (y * 2.0)))
rowsOf (fun v -> byCondition v [| 0.0; 2.0 |]) [| 0.5; 2.0 |]
// exact: #(#(-0.8084783077045316 0) #(-0.2021195769261329 3.8448672180291155))
