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
// exact: #(1.6295388340749977 2.0050054933935777)
vectorMap (jacob (fun camera -> project camera point) camera) tangents
// exact: #(#(0.06340111299666058 -2.6323078973200373) #(2.2706716550583845 0.8106142368929677) #(-1.1284506622711155 0.32968786420413637) #(-0.531413154859649 -0.22884205974346888) #(0.15656612658078597 -0.47969995040863095) #(0.0545702254245193 0.2970604901401827) #(0.31476941703749883 0.5025027466967888) #(1 0) #(0 1) #(0.20023312726935197 0.3196552491646619) #(0.06585011575216354 0.10512413927373902))
vectorMap (deriv (project camera point) point) tangents
// exact: #(#(0.531413154859649 0.22884205974346888) #(-0.15656612658078597 0.47969995040863095) #(-0.0545702254245193 -0.2970604901401827))

let looking = [| 0.0; 0.0; 0.0; 0.0; 0.0; 0.0; 1.0; 0.0; 0.0; 0.0; 0.0 |]
vectorSlice (vectorMap (jacob (fun camera -> project camera point) looking) tangents) 0 2
// exact: #(#(-0.125 -1.25) #(1.0625 0.125) #(-0.5 0.25))
