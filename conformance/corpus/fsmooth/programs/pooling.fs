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
// expect: 15.4107752729931735
vectorMap (grad f v) (snd)
// expect: #(0.549803185330267677 1.52084763952289679 0.0730835384481480468 3.85626563669868749 0.376035883885545175 0.943221892585993933 -0.778629414899927761 0.0325129185419471443 0.39559892338045759 0.116183202561188082 6.26034983704016806 -0.0400307590685273994 2.67251588888512596 0.0863286544439175361 0.0204783185703636005 0.0102214817848431613)
vgradReverse f v
// expect: #(0.549803185330267677 1.52084763952289679 0.0730835384481480468 3.85626563669868749 0.376035883885545175 0.943221892585993933 -0.778629414899927761 0.0325129185419471443 0.39559892338045759 0.116183202561188082 6.26034983704016806 -0.0400307590685273994 2.67251588888512596 0.0863286544439175361 0.0204783185703636005 0.0102214817848431613)
