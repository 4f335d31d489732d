// The Jacobian of the projection by a camera: by `jacob`, by columns with `jvp`, by rows with `vjp`. At a generic point,
// and at rotation 0, where `rodrigues` takes its other branch. The numbers at the first point were computed apart from
// the project with 50 digits, by central differences. The projected points were computed with 50 digits by mpmath, which
// takes the rotation for the exponential of the matrix of the cross product with r.

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
  let seen = rodrigues (vectorSlice camera 0 2) (vectorMap2 x (vectorSlice camera 3 5) (-))
  let flat = distort (vectorSlice camera 9 10) (p2e seen)
  vectorAdd (vectorSMul flat camera[6]) (vectorSlice camera 7 8)

let camera = [| 0.1; 0.2; 0.3; 0.0; 0.0; 0.0; 2.0; 1.0; 1.0; 0.1; 0.01 |]
let at0 = [| 0.0; 0.0; 0.0; 0.5; -0.5; 1.0; 2.0; 1.0; 1.0; 0.1; 0.01 |]
let point = [| 1.0; 2.0; 4.0 |]

let byJacob camera = matrixMap (jacob (fun c -> project c point) camera) (fun row -> vectorMap row (snd))
let byJvp camera = build 11 (fun i -> snd (jvp (fun c -> project c point) camera (vectorHot 11 i)))
let byVjp camera = build 2 (fun j -> snd (vjp (fun c -> project c point) camera (vectorHot 2 j)))
let difference a b = vectorNorm (vectorMap (matrixMap2 a b (fun r s -> vectorMap2 r s (-))) vectorNorm)

project camera point
// exact: #(1.6295388340749977 2.0050054933935777)
project at0 point
// exact: #(1.3591460905349795 2.7957304526748974)

// The same bits by D and by the operator of the engines.
difference (byJacob camera) (byJvp camera)
// exact: 0
difference (byJacob at0) (byJvp at0)
// exact: 0
difference (byJacob camera) (matrixTranspose (byVjp camera)) < 1e-14
// exact: #t
difference (byJacob at0) (matrixTranspose (byVjp at0)) < 1e-14
// exact: #t
byVjp camera
// exact: #(#(0.06340111299666056 2.2706716550583845 -1.1284506622711155 -0.5314131548596491 0.15656612658078592 0.05457022542451932 0.31476941703749883 1 0 0.20023312726935197 0.06585011575216355) #(-2.6323078973200373 0.8106142368929677 0.3296878642041362 -0.22884205974346888 -0.479699950408631 0.2970604901401827 0.5025027466967888 0 1 0.3196552491646619 0.10512413927373904))

// Many points: 3 N + 11 inputs and 2 N outputs. The derivative by the camera has a row for each of its numbers, and in
// it the points; that by the points is zero but where a point is projected.
let points = [| [| 1.0; 2.0; 4.0 |]; [| -1.0; 0.5; 2.0 |] |]
let all = matrixMap points (project camera)
all
// exact: #(#(1.6295388340749977 2.0050054933935777) #(0.39592262192087113 1.0333736764111188))
let byCamera = deriv (matrixMap points (project camera)) camera
length byCamera
// exact: 11
matrixMap byCamera (fun points -> length points)
// exact: #(2 2 2 2 2 2 2 2 2 2 2)
matrixMap byCamera[6] (fun p -> vectorMap p (snd))
// exact: #(#(0.31476941703749883 0.5025027466967888) #(-0.30203868903956443 0.016686838205559412))
let byPoints = deriv (matrixMap points (project camera)) points
vectorMap (byPoints[0][0])[1] (snd)
// exact: #(0 0)
vectorMap (byPoints[0][0])[0] (snd)
// exact: #(0.531413154859649 0.22884205974346888)
