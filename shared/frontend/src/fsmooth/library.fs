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

// Gradients by reverse mode

// The gradient of a function f of a vector into the numbers, at v: in one pass, whatever the length of v.
let vgradReverse f v = snd (vjp f v 1.0)

// The same in little memory.
let vgradCheckpoint f v = snd (vjpCheckpoint f v 1.0)
