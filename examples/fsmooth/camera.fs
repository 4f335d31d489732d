// The projection of a point by a camera, and its Jacobian, as bundle adjustment needs it.
//
//   project (r, C, f, x0, k, X) = distort (k, p2e (rodrigues (r, X - C))) f + x0
//   distort (k, x)              = x (1 + k1 |x|^2 + k2 |x|^4)
//   p2e X                       = (X1 / X3, X2 / X3)
//   rodrigues (r, X)            = X cos t + (v x X) sin t + v (v . X) (1 - cos t),  t = |r|, v = r / t
//
// A camera is a vector of 11 numbers: the rotation r, the centre C, the focal length f, the principal point x0 and
// the distortion k. Where r is zero the rotation is X + r x X up to terms of second order, which is used there: so
// its derivative is right, too.
// Source: Shaikhha et al. (2018), section 5.
// Expected: the projected point; the Jacobian by the camera, a row for each of its numbers; that by the point; the
// derivative by r at r = 0, where the first column of p2e (X + r x X) can be derived by hand.
// Run: vlad examples/fsmooth/camera.fs

let distort k x =
  let n = vectorDot x x
  vectorSMul x (1.0 + k[0] * n + k[1] * n * n)

let p2e x = [| x[0] / x[2]; x[1] / x[2] |]

let rodrigues r x =
  let squared = vectorDot r r
  if squared == 0.0 then vectorAdd x (vectorCross r x)
  else
    let t = sqrt squared
    let v = vectorSMul r (1.0 / t)
    let turned = vectorAdd (vectorSMul x (cos t)) (vectorSMul (vectorCross v x) (sin t))
    vectorAdd turned (vectorSMul v (vectorDot v x * (1.0 - cos t)))

let project camera x =
  let r = vectorSlice camera 0 2
  let centre = vectorSlice camera 3 5
  let f = camera[6]
  let x0 = vectorSlice camera 7 8
  let k = vectorSlice camera 9 10
  let seen = rodrigues r (vectorMap2 x centre (-))
  vectorAdd (vectorSMul (distort k (p2e seen)) f) x0

let camera = [| 0.1; 0.2; 0.3; 0.0; 0.0; 0.0; 2.0; 1.0; 1.0; 0.1; 0.01 |]
let point = [| 1.0; 2.0; 4.0 |]

let tangents v = vectorMap v (snd)

project camera point
// expect: #(1.62953883407499761 2.00500549339357787)
vectorMap (jacob (fun camera -> project camera point) camera) tangents
// expect: #(#(0.0634011129966603812 -2.63230789732003786) #(2.27067165505838492 0.810614236892967622) #(-1.12845066227111531 0.32968786420413645) #(-0.531413154859649163 -0.228842059743468889) #(0.156566126580785964 -0.479699950408631049) #(0.0545702254245193086 0.297060490140182747) #(0.314769417037498803 0.502502746696788937) #(1 0) #(0 1) #(0.200233127269351883 0.31965524916466183) #(0.0658501157521635143 0.105124139273738986))
vectorMap (deriv (project camera point) point) tangents
// expect: #(#(0.531413154859649163 0.228842059743468889) #(-0.156566126580785964 0.479699950408631049) #(-0.0545702254245193086 -0.297060490140182747))

let looking = [| 0.0; 0.0; 0.0; 0.0; 0.0; 0.0; 1.0; 0.0; 0.0; 0.0; 0.0 |]
vectorSlice (vectorMap (jacob (fun camera -> project camera point) looking) tangents) 0 2
// expect: #(#(-0.125 -1.25) #(1.0625 0.125) #(-0.5 0.25))
