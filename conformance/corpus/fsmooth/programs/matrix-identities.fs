// Identities of matrix calculus: each derivative against its closed form.

let u = [| 1.0; -2.0; 0.5 |]
let v = [| 3.0; 0.25; -1.0; 2.0 |]
let m = build 3 (fun r -> build 4 (fun c -> 0.5 * r - c + 1.0))
let s = build 3 (fun r -> build 3 (fun c -> r + 2 * c + 1))
let a = build 3 (fun r -> build 3 (fun c -> r * c - 0.5))
let tangents x = vectorMap x (snd)
let ofMatrix x = matrixMap x tangents

// d (u M v') / dM is the outer product of u and v.
ofMatrix (mgrad (fun m -> vectorDot u (matrixMap m (vectorDot v))) m)
// exact: #(#(3 0.25 -1 2) #(-6 -0.5 2 -4) #(1.5 0.125 -0.5 1))
let form u m v = ((matrixMult (vectorToMatrix u) (matrixMult m (matrixTranspose (vectorToMatrix v))))[0])[0]
ofMatrix (deriv (form u m v) m)
// exact: #(#(3 0.25 -1 2) #(-6 -0.5 2 -4) #(1.5 0.125 -0.5 1))
vectorOutProd u v
// exact: #(#(3 0.25 -1 2) #(-6 -0.5 2 -4) #(1.5 0.125 -0.5 1))
// d tr M / dM is the identity.
ofMatrix (mgrad matrixTrace a)
// exact: #(#(1 0 0) #(0 1 0) #(0 0 1))
// d tr (M A) / dM is the transpose of A.
ofMatrix (mgrad (fun m -> matrixTrace (matrixMul m a)) a)
// exact: #(#(-0.5 -0.5 -0.5) #(-0.5 0.5 1.5) #(-0.5 1.5 3.5))
matrixTranspose a
// exact: #(#(-0.5 -0.5 -0.5) #(-0.5 0.5 1.5) #(-0.5 1.5 3.5))
// d (v . w) / dv is w, d |v|^2 / dv is 2 v, d |v| / dv is v / |v|.
tangents (deriv (vectorDot u u) u)
// exact: #(2 -4 1)
tangents (grad vectorNorm [| 3.0; -4.0 |])
// exact: #(0.6000000000000001 -0.8)
// The Jacobian of v -> M v has the rows of M' (row i is by input i).
ofMatrix (jacob (fun v -> matrixMap m (vectorDot v)) v)
// exact: #(#(1 1.5 2) #(0 0.5 1) #(-1 -0.5 0) #(-2 -1.5 -1))
matrixTranspose m
// exact: #(#(1 1.5 2) #(0 0.5 1) #(-1 -0.5 0) #(-2 -1.5 -1))
// The Hessian of u' S u is S + S'.
hessian (fun u -> vectorDot u (matrixMap s (vectorDot u))) u
// exact: #(#(2 5 8) #(5 8 11) #(8 11 14))
// The examples of the paper: snd (deriv (cos a) a) is -sin a, snd (deriv (a * b) a) is b.
let x = 0.5
let y = 4.0
snd (deriv (cos x) x)
// exact: -0.479425538604203
snd (deriv (x * y) x)
// exact: 4
