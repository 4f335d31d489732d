// The gradients that the benchmark of F-smooth measures (benches/src/bin/smooth): of the micro benchmarks, of a matrix
// factorisation, of the logarithm of a sum of exponentials, and of the pictures of points by a camera. Each stands here
// twice: by forward mode, whose passes rewriting is to fuse, and by the operator of reverse mode.
// Source: Shaikhha et al. (2018), section 5, figures 8 to 11.

let tangents v = vectorMap v (snd)

// d(v . w)/dv
let dot v w = tangents (deriv (vectorDot v w) v)
let dotReverse v w = vgradReverse (fun v -> vectorDot v w) v

// d(max v)/dv
let maximum v = tangents (deriv (vectorMax v) v)
let maximumReverse v = vgradReverse vectorMax v

// d(v + w)/dv, a matrix
let addition v w = vectorMap (deriv (vectorAdd v w) v) tangents
let additionReverse v w =
  let n = length v
  build n (fun i -> snd (vjp (fun v -> vectorAdd v w) v (vectorHot n i)))

// d(v s)/ds
let scale v s = tangents (deriv (vectorSMul v s) s)
let scaleReverse v s =
  let n = length v
  build n (fun i -> snd (vjp (fun s -> vectorSMul v s) s (vectorHot n i)))

// The gradient by v of the sum of log P + A / P, where P = u v'
let cost u v a =
  vectorSum (build (length u) (fun i -> vectorSum (build (length v) (fun j ->
    let p = u[i] * v[j]
    log p + a[i][j] / p))))
let factorisation u v a = tangents (grad (fun v -> cost u v a) v)
let factorisationReverse u v a = vgradReverse (fun v -> cost u v a) v

// The gradient of the logarithm of a sum of exponentials
let logSumExp v =
  let largest = vectorMax v
  largest + log (vectorSum (vectorMap v (fun x -> exp (x - largest))))
let logsumexp v = tangents (grad logSumExp v)
let logsumexpReverse v = vgradReverse logSumExp v

// The Jacobian of the pictures of n points by one camera: by the 11 numbers of the camera and the 3 n of the points, in one
// vector; the pictures are the n numbers of one direction, then the n of the other.
let distort k x =
  let n = vectorDot x x
  vectorSMul x (1.0 + k[0] * n + k[1] * n * n)
let rodrigues r x =
  let t = sqrt (vectorDot r r)
  let v = vectorSMul r (1.0 / t)
  let turned = vectorAdd (vectorSMul x (cos t)) (vectorSMul (vectorCross v x) (sin t))
  vectorAdd turned (vectorSMul v (vectorDot v x * (1.0 - cos t)))
let project camera x =
  let seen = rodrigues (vectorSlice camera 0 2) (vectorMap2 x (vectorSlice camera 3 5) (-))
  let flat = [| seen[0] / seen[2]; seen[1] / seen[2] |]
  vectorAdd (vectorSMul (distort (vectorSlice camera 9 10) flat) camera[6]) (vectorSlice camera 7 8)
let pictures n all =
  let picture i = project all (vectorSlice all (11 + 3 * i) (13 + 3 * i))
  build (2 * n) (fun k -> if k < n then (picture k)[0] else (picture (k - n))[1])
let projection n all = vectorMap (jacob (pictures n) all) tangents
let projectionReverse n all = build (2 * n) (fun k -> snd (vjp (pictures n) all (vectorHot (2 * n) k)))
