// Four derivatives of vector expressions that are known in advance.
//
//   d (v . w) / dv   is w
//   d (max v) / dv   is 1 at the largest element and 0 elsewhere
//   d (v + w) / dv   is the identity matrix
//   d (v s) / ds     is v
//
// Source: the micro benchmarks of Shaikhha et al. (2018), section 5.
// Expected: w; the one-hot vector; the identity; v.
// Run: vlad examples/fsmooth/micro-benchmarks.fs

let v = [| 1.0; 4.0; 2.0 |]
let w = [| 3.0; -1.0; 0.5 |]
let s = 2.0

let tangents v = vectorMap v (snd)

tangents (deriv (vectorDot v w) v)
// exact: #(3 -1 0.5)
tangents (deriv (vectorMax v) v)
// exact: #(0 1 0)
vectorMap (deriv (vectorAdd v w) v) tangents
// exact: #(#(1 0 0) #(0 1 0) #(0 0 1))
tangents (deriv (vectorSMul v s) s)
// exact: #(1 4 2)
