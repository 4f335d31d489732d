// Two numbers of each point, all of the first ones before all of the second ones, and the Jacobian by two inputs that all points share
// and one of each point. The values were computed with fractions, by derivatives in pairs; all of them are sums of powers of 2. The
// derivatives by all[0] are the opposites of the sums of those by the points.

let picture all k =
  let x = all[2 + k] - all[0]
  let r = x * x * all[1]
  let q = r * r + x
  let p = q * r + x * r
  let s = p * q + r * all[1]
  let t = s * x + p * r
  let u = t * s + q * x
  (u * r + t, u * x - s * all[1])
let pictures n all = build (2 * n) (fun k -> if k < n then fst (picture all k) else snd (picture all (k - n)))
let jacobian n all = matrixMap (jacob (pictures n) all) (fun row -> vectorMap row (snd))

pictures 2 [| 0.5; 1.0; 1.0; -0.5 |]
// exact: #(0.3629981279373169 -4 -0.2056443691253662 1)
jacobian 2 [| 0.5; 1.0; 1.0; -0.5 |]
// exact: #(#(-3.358335256576538 -9 0.5400094985961914 6) #(0.6988157033920288 -4 -0.8771929740905762 1) #(3.358335256576538 0 -0.5400094985961914 0) #(0 9 0 -6))
jacobian 1 [| 0.0; -1.0; 1.0 |]
// exact: #(#(249 -176) #(78 -41) #(-249 176))
// An input that is not used, and no point.
jacobian 1 [| 0.0; 2.0; 1.0; 5.0 |]
// exact: #(#(-208680 -97307) #(48015 20800) #(208680 97307) #(0 0))
jacobian 0 [| 0.0; 2.0 |]
// exact: #(#() #())
pictures 0 [| 0.0; 2.0 |]
// exact: #()
// A point that is infinitely far: its derivatives are infinite, by the other point they are 0, not NaN.
jacobian 2 [| 0.5; 1.0; 1.0; 1.0 / 0.0 |]
// exact: #(#(-3.358335256576538 -inf.0 0.5400094985961914 +nan.0) #(0.6988157033920288 +inf.0 -0.8771929740905762 +nan.0) #(3.358335256576538 0 -0.5400094985961914 0) #(0 +inf.0 0 +nan.0))
// Elements that take so much work that a table is made of them. The numbers were computed apart from the project with 80 digits, by
// central differences.
let terms all k =
  let x = all[2 + k] - all[0]
  let r = sin x * all[1] + exp x
  let q = r * r + x
  let p = exp (q * all[1]) * r
  (p * r + q, p * q * r)
let outputs n all = build (n + n) (fun k -> if k >= n then snd (terms all (k - n)) else fst (terms all k))
let byInputs n all = matrixMap (jacob (outputs n) all) (fun row -> vectorMap row (snd))
byInputs 2 [| 0.5; 0.25; 1.0; 1.5 |]
// exact: #(#(-38.70868284039396 -617.1555177857169 -171.76829881268057 -7405.931801311819) #(37.285781590381404 1075.0457081152545 142.2532523485813 10711.81617318868) #(38.70868284039396 0 171.76829881268057 0) #(0 617.1555177857169 0 7405.931801311819))
byInputs 0 [| 0.5; 0.25 |]
// exact: #(#() #())
let difference a b = vectorNorm (vectorMap (matrixMap2 a b (fun r s -> vectorMap2 r s (-))) vectorNorm)
let byJvp n all = build (length all) (fun i -> snd (jvp (outputs n) all (vectorHot (length all) i)))
difference (byInputs 3 [| 0.5; -0.25; 1.0; 1.5; 0.5 |]) (byJvp 3 [| 0.5; -0.25; 1.0; 1.5; 0.5 |])
// exact: 0

// Fewer points than n; the first one whose number is missed.
jacobian 3 [| 0.5; 1.0; 1.0; -0.5 |]
// error: type 6:11-6:21 `v[i]` expects a whole number below 4, the length of the vector, as index, found 4
