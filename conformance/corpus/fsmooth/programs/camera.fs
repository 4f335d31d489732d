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
// expect: #(1.6295388340749976 2.00500549339357787)
project at0 point
// expect: #(1.35914609053497942 2.79573045267489712)

// The same bits by D and by the operator of the engines.
difference (byJacob camera) (byJvp camera)
// exact: 0
difference (byJacob at0) (byJvp at0)
// exact: 0
difference (byJacob camera) (matrixTranspose (byVjp camera)) < 1e-14
// expect: #t
difference (byJacob at0) (matrixTranspose (byVjp at0)) < 1e-14
// expect: #t
byVjp camera
// expect: #(#(0.0634011129966603812 2.27067165505838492 -1.12845066227111531 -0.531413154859649163 0.156566126580785964 0.0545702254245193086 0.314769417037498803 1 0 0.200233127269351883 0.0658501157521635143) #(-2.63230789732003786 0.810614236892967622 0.32968786420413645 -0.228842059743468889 -0.479699950408631049 0.297060490140182747 0.502502746696788937 0 1 0.31965524916466183 0.105124139273738986))

// Many points: 3 N + 11 inputs and 2 N outputs. The derivative by the camera has a row for each of its numbers, and in
// it the points; that by the points is zero but where a point is projected.
let points = [| [| 1.0; 2.0; 4.0 |]; [| -1.0; 0.5; 2.0 |] |]
let all = matrixMap points (project camera)
all
// expect: #(#(1.6295388340749976 2.00500549339357787) #(0.395922621920871142 1.03337367641111886))
let byCamera = deriv (matrixMap points (project camera)) camera
length byCamera
// expect: 11
matrixMap byCamera (fun points -> length points)
// expect: #(2 2 2 2 2 2 2 2 2 2 2)
matrixMap byCamera[6] (fun p -> vectorMap p (snd))
// expect: #(#(0.314769417037498803 0.502502746696788937) #(-0.302038689039564429 0.01668683820555943))
let byPoints = deriv (matrixMap points (project camera)) points
vectorMap (byPoints[0][0])[1] (snd)
// expect: #(0 0)
vectorMap (byPoints[0][0])[0] (snd)
// expect: #(0.531413154859649163 0.228842059743468889)
