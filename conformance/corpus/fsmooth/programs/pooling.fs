// A convolution of a picture of 4 x 4 numbers with a kernel of 2 x 2, and the maxima of its four quarters: where the maxima are
// apart, the gradient of f is the sum of (1 - t^2) k over the windows of the convolution, whose values have the hyperbolic
// tangents t, and twice each maximum at its place. The numbers are those of this formula with 50 digits.

let kernel = [| [| 1.0; -1.0 |]; [| 0.5; 0.25 |] |]
let convolve m k =
  let rows = matrixRows k
  let columns = matrixCols k
  build (matrixRows m - rows + 1) (fun i -> build (matrixCols m - columns + 1) (fun j ->
    ifold (fun s a -> ifold (fun s b -> s + m[i + a][j + b] * k[a][b]) s columns) 0 rows))
let pool m = build (quotient (matrixRows m) 2) (fun i -> build (quotient (matrixCols m) 2) (fun j ->
  max (max m[2 * i][2 * j] m[2 * i][2 * j + 1]) (max m[2 * i + 1][2 * j] m[2 * i + 1][2 * j + 1])))
let total m = vectorSum (vectorMap m vectorSum)
let f v =
  let m = build 4 (fun i -> build 4 (fun j -> v[4 * i + j]))
  total (matrixMap (convolve m kernel) (fun r -> vectorMap r tanh)) + total (matrixMap (pool m) (fun r -> vectorMap r (fun x -> x * x)))

let v = [| 0.5; 1; -0.25; 2; -1; 0.75; 1.5; -0.5; 0.25; -0.75; 3; 0.125; 1.25; -2; -1.5; 0.625 |]
f v
// exact: 15.410775272993174
vectorMap (grad f v) (snd)
// exact: #(0.5498031853302677 1.5208476395228967 0.07308353844814805 3.8562656366986876 0.3760358838855452 0.9432218925859941 -0.7786294148999279 0.03251291854194714 0.3955989233804575 0.11618320256118819 6.2603498370401685 -0.0400307590685274 2.672515888885126 0.08632865444391752 0.0204783185703636 0.01022148178484316)
vgradReverse f v
// exact: #(0.5498031853302677 1.5208476395228967 0.07308353844814805 3.8562656366986876 0.3760358838855452 0.9432218925859941 -0.7786294148999279 0.03251291854194714 0.3955989233804575 0.11618320256118818 6.2603498370401685 -0.0400307590685274 2.672515888885126 0.08632865444391752 0.0204783185703636 0.01022148178484316)
