// M-smooth: vectors and matrices, in F-smooth (Shaikhha et al. 2018, figure 4).
//
// A vector is an array of numbers, a matrix an array of rows of one length. Lengths that have to agree and do not are
// errors of `ofLength`; an index that is out of range, and a size below 0, are errors, too.

// Arrays of any elements

// The array of the one element f 0.
let build1 f = build 1 f

// 0, 1, ... n - 1.
let vectorRange n = build n (fun i -> i)

// n times e.
let vectorFill n e = build n (fun i -> e)

// n times 0.
let vectorZeros n = vectorFill n 0

// n numbers: 1 at index i, 0 elsewhere.
let vectorHot n i = build n (fun j -> if i == j then 1 else 0)

// f of each element.
let vectorMap v f = build (length v) (fun i -> f v[i])

// f of the elements of two arrays of one length, pairwise.
let vectorMap2 v w f =
  let w = ofLength w (length v)
  build (length v) (fun i -> f v[i] w[i])

// The pairs of the elements of two arrays of one length.
let vectorZip v w = vectorMap2 v w (pair)

// The elements from index s to index e, both included: e - s + 1 of them.
let vectorSlice v s e = build (e - s + 1) (fun i -> v[i + s])

// Vectors

// The sums of the elements of two vectors of one length.
let vectorAdd v w = vectorMap2 v w (+)

// The products of the elements of two vectors of one length.
let vectorEMul v w = vectorMap2 v w ( * )

// Each element times s.
let vectorSMul v s = vectorMap v (fun a -> a * s)

// The sum of the elements, from the first to the last, beginning with 0.
let vectorSum v = ifold (fun s i -> s + v[i]) 0 (length v)

// The inner product of two vectors of one length.
let vectorDot v w = vectorSum (vectorEMul v w)

// The Euclidean norm.
let vectorNorm v = sqrt (vectorDot v v)

// The cross product of two vectors of length 3.
let vectorCross v w =
  let v = ofLength v 3
  let w = ofLength w 3
  [| v[1] * w[2] - v[2] * w[1]; v[2] * w[0] - v[0] * w[2]; v[0] * w[1] - v[1] * w[0] |]

// The largest element, of several the first. The fold keeps its index, and the element is taken once: so the gradient
// is 1 at this element and 0 elsewhere, and is found in one pass. An empty vector has none.
let vectorMax v =
  let largest = ifold (fun best i -> if v[best] < v[i] then i else best) 0 (length v)
  v[largest]

// Matrices

// The matrix whose one row is v.
let vectorToMatrix v = build 1 (fun i -> v)

// The number of rows.
let matrixRows m = length m

// The number of columns: the length of the first row, which there has to be.
let matrixCols m = length m[0]

// r rows of c zeros.
let matrixZeros r c = build r (fun i -> vectorFill c 0)

// r rows of c ones.
let matrixOnes r c = build r (fun i -> vectorFill c 1)

// The identity matrix of n rows.
let matrixEye n = build n (fun i -> vectorHot n i)

// n rows of m numbers: 1 in row r and column c, 0 elsewhere.
let matrixHot n m r c = build n (fun i -> build m (fun j -> if i == r && j == c then 1 else 0))

// f of each row.
let matrixMap m f = build (length m) (fun i -> f m[i])

// f of the rows of two matrices with as many rows, pairwise.
let matrixMap2 a b f =
  let b = ofLength b (length a)
  build (length a) (fun i -> f a[i] b[i])

// The sums of the elements of two matrices of one shape.
let matrixAdd a b = matrixMap2 a b vectorAdd

// The pairs of the elements of two matrices of one shape.
let matrixZip a b = matrixMap2 a b vectorZip

// The matrix whose rows are the columns of m, which has a row; its rows have one length.
let matrixTranspose m =
  let columns = matrixCols m
  build columns (fun i -> build (matrixRows m) (fun j -> (ofLength m[j] columns)[i]))

// The matrix product: the inner products of the rows of a and the columns of b.
let matrixMul a b =
  let columns = matrixTranspose b
  build (matrixRows a) (fun i -> build (matrixCols b) (fun j -> vectorDot a[i] columns[j]))

// The same under its other name.
let matrixMult a b = matrixMul a b

// The sum of the diagonal, beginning with 0.
let matrixTrace m = ifold (fun s i -> s + m[i][i]) 0 (length m)

// The outer product of two vectors: v[i] * w[j] in row i and column j.
let vectorOutProd v w = matrixMul (matrixTranspose (vectorToMatrix v)) (vectorToMatrix w)

// Systems of equations, by elimination with partial pivoting

// m, which has to have as many columns as rows.
let ofSquare m = build (length m) (fun i -> ofLength m[i] (length m))

// The index of the row from k on with the element of greatest magnitude in column k, of several the first.
let matrixPivotRow m k =
  ifold (fun best i -> if k < i && abs m[best][k] < abs m[i][k] then i else best) k (length m)

// m with row p in the place of row k, row k in that of p, and multiples of the former taken off the rows below, so that these
// have zeros in column k.
let matrixEliminate m k p =
  let top = m[p]
  build (length m) (fun i ->
    if i < k then m[i] else if i == k then top else
      let row = if i == p then m[k] else m[i]
      let factor = row[k] / top[k]
      build (length row) (fun j -> if j <= k then 0 else row[j] - factor * top[j]))

// The matrix x for which the product of a, which is square, and x is b. Of singular ones elements are infinite or NaN.
let matrixSolveColumns a b =
  let a = ofSquare a
  let n = length a
  let b = ofLength b n
  let columns = if n == 0 then 0 else length b[0]
  let both = build n (fun i -> let row = ofLength b[i] columns in
    build (n + columns) (fun j -> if j < n then a[i][j] else row[j - n]))
  let m = ifold (fun m k -> matrixEliminate m k (matrixPivotRow m k)) both n
  ifold (fun x t ->
    let i = n - 1 - t
    let row = build columns (fun c ->
      ifold (fun rest j -> if i < j then rest - m[i][j] * x[j][c] else rest) m[i][n + c] n / m[i][i])
    build n (fun k -> if k == i then row else x[k])) (matrixZeros n columns) n

// The vector x for which the product of m, which is square, and x is v.
let matrixSolve m v = vectorMap (matrixSolveColumns m (vectorMap v (fun x -> [| x |]))) (fun row -> row[0])

// The matrix whose product with m, which is square, is the identity.
let matrixInverse m = matrixSolveColumns m (matrixEye (length m))


// The determinant of m, which is square and not empty, by sums and products alone: with x = m to begin with, length m - 1 times
// x <- above x * m; then it is x[0][0], with the sign of (-1)^(length m - 1). Source: Bird, "A simple division-free algorithm for
// computing determinants" (2011).
let matrixUndividedDeterminant m =
  let n = length m
  let above x = build n (fun i -> build n (fun j ->
    if i < j then x[i][j] else if j < i then 0 else -(ifold (fun s k -> if i < k then s + x[k][k] else s) 0 n)))
  let x = ifold (fun x t -> matrixMul (above x) m) m (n - 1)
  if modulo n 2 == 0 then -x[0][0] else x[0][0]
// The determinant of m, which is square. Where a pivot is zero the rest is found without dividing, so that derivatives are
// right, too.
let matrixDeterminant m =
  let m = ofSquare m
  let n = length m
  snd (ifold (fun state k ->
    let m = fst state
    let p = matrixPivotRow m k
    let pivot = m[p][k]
    if pivot == 0 then
      let rest = build (n - k) (fun i -> build (n - k) (fun j -> m[k + i][k + j]))
      (build n (fun i -> vectorHot n i), snd state * matrixUndividedDeterminant rest)
    else
      (matrixEliminate m k p, snd state * (if p == k then pivot else -pivot))) (m, 1) n)

// The lower triangular matrix whose product with its transpose is m, which is symmetric and positive definite; what stands
// above the diagonal of m is not looked at.
let matrixCholesky m =
  let m = ofSquare m
  let n = length m
  ifold (fun l i ->
    let row = ifold (fun row j ->
      let rest = ifold (fun rest k -> rest - row[k] * (if j == i then row[k] else l[j][k])) m[i][j] j
      let element = if j == i then sqrt rest else rest / l[j][j]
      build n (fun k -> if k == j then element else row[k])) (vectorZeros n) (i + 1)
    build n (fun k -> if k == i then row else l[k])) (matrixZeros n n) n

// The greatest power of two that is not above the greatest magnitude of an element; 1 if that is 0 or not finite. By comparisons
// alone, so that its derivative is 0.
let vectorPowerOfTwo v =
  let most = ifold (fun most i -> max most (abs v[i])) 0 (length v)
  if 0 < most && most - most == 0 then
    ifold (fun power k ->
      let factor = exp2 (exp2 (9 - k))
      if power * factor <= most then power * factor else if most < 2 * power / factor then power / factor else power) 1 10
  else 1

// m with each element (i, j) divided by v[i] * w[j].
let matrixDivide m v w = build (length m) (fun i -> build (length w) (fun j -> m[i][j] / (v[i] * w[j])))

// The sign of the determinant of m, which is square - 1, -1 or 0 - and the logarithm of its magnitude. Rows and columns are
// divided by powers of two, so that nothing over- or underflows: at first by their square roots, since both may need it.
let matrixLogDeterminant m =
  let m = ofSquare m
  let n = length m
  let powers m = vectorMap m vectorPowerOfTwo
  let roots m = vectorMap (powers m) (fun power -> vectorPowerOfTwo [| sqrt power |])
  let transposed m = build n (fun j -> build n (fun i -> m[i][j]))
  let rows = roots m
  let columns = roots (transposed m)
  let halved = matrixDivide m rows columns
  let moreRows = powers halved
  let byRows = matrixDivide halved moreRows (vectorFill n 1)
  let moreColumns = powers (transposed byRows)
  let start = matrixDivide byRows (vectorFill n 1) moreColumns
  let exponent = ifold (fun s i -> s + log2 rows[i] + log2 columns[i] + log2 moreRows[i] + log2 moreColumns[i]) 0 n
  let state = ifold (fun state k ->
    let m = fst (fst state)
    let p = matrixPivotRow m k
    let pivot = m[p][k]
    let positive = if pivot < 0 then -pivot else pivot
    let sign = if pivot == 0 then 0 else if pivot < 0 then -1 else 1
    let turned = if p == k then sign else -sign
    let next = if pivot == 0 then build n (fun i -> vectorHot n i) else matrixEliminate m k p
    ((next, snd (fst state) * turned), snd state + log positive)) ((start, 1), 0) n
  (snd (fst state), snd state + log 2 * exponent)

// Gradients by reverse mode

// The gradient of a function f of a vector into the numbers, at v: in one pass, whatever the length of v.
let vgradReverse f v = snd (vjp f v 1.0)

// The same in little memory.
let vgradCheckpoint f v = snd (vjpCheckpoint f v 1.0)
