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

// The elements of v, then those of w; of matrices the rows.
let append v w =
  let n = length v
  build (n + length w) (fun i -> if i < n then v[i] else w[i - n])

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

// Random numbers

// The generator is that of the library `random` of VLAD, MRG32k3a, with the same numbers for the same seed: two recursions of order
// three, in whole numbers below 2^53. A state is a vector of six numbers, those of the first recursion before those of the second. A
// function that draws makes the pair of a number and the next state.

// x, if a condition holds; else an error, that of an index out of range.
let randomChecked x holds = [| x |][if holds then 0 else 1]

// a * b modulo m, exactly, for whole a, b, m up to 2^33, 2^53 and 2^32: a in two parts of 17 bits.
let randomProduct a b m =
  let high = quotient a 131072
  let rest = modulo b m
  modulo (131072 * modulo (high * rest) m + (a - 131072 * high) * rest) m

// A whole number below 4294944442 that depends on all bits of two whole numbers below 2^32.
let randomScrambled a b =
  randomProduct (1 + randomProduct (a + 2654435769) (b + 1779033703) 4294944443) 3144134277 4294944442

// The state of a seed, a whole number from 0 to 2^53.
let randomState seed =
  let seed = randomChecked seed (0 <= seed && seed <= 9007199254740992)
  let low = modulo seed 4294944443
  let high = quotient seed 4294944443
  let a = randomScrambled (low + 1) (high + 1)
  let b = randomScrambled a (low + 2)
  let c = randomScrambled b (high + 3)
  let d = randomScrambled c 4
  let e = randomScrambled d 5
  let f = randomScrambled e 6
  [| 1 + a; 1 + b; 1 + c; 1 + d; 1 + e; 1 + f |]

// A number above 0 and below 1.
let randomReal state =
  let s = ofLength state 6
  let x = modulo (1403580 * s[1] - 810728 * s[0]) 4294967087
  let y = modulo (527612 * s[5] - 1370589 * s[3]) 4294944443
  let number = if y < x then x - y else x - y + 4294967087
  (number * 2.328306549295727688e-10, [| s[1]; s[2]; x; s[4]; s[5]; y |])

// The product of two matrices of whole numbers below m, modulo m.
let randomMatrix a b m =
  build (length a) (fun i -> build (length b[0]) (fun j ->
    ifold (fun s k -> modulo (s + randomProduct a[i][k] b[k][j] m) m) 0 (length b)))

// The state whose recursions are those of a state, each multiplied by the matrix that a function makes of its own and of m.
let randomMoved state power =
  let s = ofLength state 6
  let moved matrix first m = vectorMap (randomMatrix (power matrix m) (build 3 (fun i -> [| s[first + i] |])) m) (fun row -> row[0])
  append (moved [| [| 0; 1; 0 |]; [| 0; 0; 1 |]; [| 4294156359; 1403580; 0 |] |] 0 4294967087)
    (moved [| [| 0; 1; 0 |]; [| 0; 0; 1 |]; [| 4293573854; 0; 527612 |] |] 3 4294944443)

// The state after n numbers, n a whole number from 0 to 2^53.
let randomSkip state n =
  let n = randomChecked n (0 <= n && n <= 9007199254740992)
  randomMoved state (fun matrix m ->
    let ((product, square), rest) = ifold (fun ((product, square), rest) i ->
      let next = if modulo rest 2 == 1 then randomMatrix product square m else product
      ((next, randomMatrix square square m), quotient rest 2)) ((build 3 (fun i -> vectorHot 3 i), matrix), n) 54
    product)

// The state after 2^k numbers, k a whole number from 0 to 1000.
let randomSkipPower state k =
  let k = randomChecked k (0 <= k && k <= 1000)
  randomMoved state (fun matrix m -> ifold (fun matrix i -> randomMatrix matrix matrix m) matrix k)

// The state after 2^127 numbers, where another stream begins.
let randomJump state = randomSkipPower state 127

// A whole number from 0 to n - 1, for n from 1 to 2^32: the whole part of n * u, bit by bit.
let randomInteger (n : Index) state =
  let n = randomChecked n (1 <= n && n <= 4294967296)
  let (u, state) = randomReal state
  let x = n * u
  let (found, bit) = ifold (fun (found, bit) i ->
    (if found + bit <= x then found + bit else found, quotient bit 2)) (0, 2147483648) 32
  (min (n - 1) found, state)

// A number of mean 0 and deviation 1, normally distributed, from two numbers (Box and Muller 1958).
let randomNormal state =
  let (u, state) = randomReal state
  let (v, state) = randomReal state
  (sqrt (-2 * log u) * cos (6.283185307179586 * v), state)

// A number, exponentially distributed with a rate above 0.
let randomExponential rate state =
  let rate = randomChecked rate (0 < rate)
  let (u, state) = randomReal state
  (-(log u) / rate, state)

// True with a probability.
let randomEvent probability state =
  let probability = randomChecked probability (0 <= probability && probability <= 1)
  let (u, state) = randomReal state
  (u < probability, state)

// The array of n elements that a function draws in pieces: of a number of elements, at most size, and a state it makes the pair of
// an array and the next state.
let randomPieces draw size n state =
  ifold (fun (v, state) k ->
    let (piece, state) = draw (min size (n - k * size)) state
    (append v piece, state)) ([| |], state) (quotient (n + size - 1) size)

// The array of n results of a function that draws from a state, for n up to 2^32. It is joined of pieces, and these of smaller ones,
// since joining copies the elements.
let randomVector draw n state =
  let n = randomChecked n (0 <= n && n <= 4294967296)
  let drawn n state =
    let (x, state) = draw state
    ([| x |], state)
  let few = randomPieces drawn 1
  let some = randomPieces few 16
  let more = randomPieces some 256
  let many = randomPieces more 4096
  randomPieces many 65536 n state

// n numbers between 0 and 1; n numbers that are normally distributed.
let randomReals n state = randomVector randomReal n state
let randomNormals n state = randomVector randomNormal n state

// The elements of an array in a random order, each order with the same probability.
let randomShuffle v state =
  ifold (fun (v, state) t ->
    let last = length v - 1 - t
    let (other, state) = randomInteger (last + 1) state
    (build (length v) (fun i -> if i == last then v[other] else if i == other then v[last] else v[i]), state))
    (v, state) (max 0 (length v - 1))
