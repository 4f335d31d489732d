// Systems of equations, as in the library of VLAD (vectors/library/solve.vlad and others, where the values are derived): the determinant
// of a is 20, its inverse the transposed cofactors over 20; by hand a * (0.7, -0.1, -0.1) = (1, 2, 4).

let a = [| [| 2.0; 1.0; 3.0 |]; [| 4.0; 1.0; 7.0 |]; [| 6.0; 0.0; 2.0 |] |]

ofSquare a
// exact: #(#(2 1 3) #(4 1 7) #(6 0 2))
matrixPivotRow a 0
// exact: 2
matrixPivotRow a 1
// exact: 1
// 2/6 and 4/6 of (6 0 2) are taken off.
// tolerance: 1e-15
matrixEliminate [| [| 3.0; 1.0 |]; [| 6.0; 4.0 |] |] 0 1
// expect: #(#(6 4) #(0 -1))
matrixSolve a [| 1.0; 2.0; 4.0 |]
// expect: #(0.7 -0.1 -0.1)
matrixSolveColumns a [| [| 20.0; 2.0 |]; [| 0.0; 4.0 |]; [| 0.0; 6.0 |] |]
// expect: #(#(2 1) #(34 0) #(-6 0))
matrixInverse a
// expect: #(#(0.1 -0.1 0.2) #(1.7 -0.7 -0.1) #(-0.3 0.3 -0.1))
matrixDeterminant a
// exact: 20
matrixCholesky [| [| 4.0; 2.0; -2.0 |]; [| 2.0; 10.0; 5.0 |]; [| -2.0; 5.0; 21.0 |] |]
// exact: #(#(2 0 0) #(1 3 0) #(-1 2 4))
// log 20 and, with the determinant -2, log 2.
matrixLogDeterminant a
// expect: (1 . 2.995732273553991)
matrixLogDeterminant [| [| 1.0; 2.0 |]; [| 3.0; 4.0 |] |]
// expect: (-1 . 0.6931471805599453)
matrixDivide [| [| 8.0; 12.0 |] |] [| 2.0 |] [| 4.0; 3.0 |]
// exact: #(#(1 2))
vectorMap [| 1.0; 0.75; -1000.0; 5e-324; 0.0 |] (fun x -> vectorPowerOfTwo [| x |])
// exact: #(1 0.5 512 1.1125369292536007e-308 1)
// Rows are exchanged, twice here: the permutation of a cycle of three has the determinant 1.
matrixDeterminant [| [| 0.0; 1.0; 0.0 |]; [| 0.0; 0.0; 1.0 |]; [| 1.0; 0.0; 0.0 |] |]
// exact: 1
matrixSolve [| [| 0.0; 2.0 |]; [| 3.0; 0.0 |] |] [| 4.0; 9.0 |]
// exact: #(3 2)
// The gradient of the determinant are the cofactors, of a singular matrix, too; that of its logarithm is the transposed inverse.
vgradReverse matrixDeterminant a
// expect: #(#(2 34 -6) #(-2 -14 6) #(4 -2 -2))
vgradReverse matrixDeterminant [| [| 1.0; 2.0 |]; [| 2.0; 4.0 |] |]
// expect: #(#(4 -2) #(-2 1))
matrixMap (mgrad matrixDeterminant [| [| 1.0; 2.0 |]; [| 2.0; 4.0 |] |]) (fun row -> vectorMap row (snd))
// expect: #(#(4 -2) #(-2 1))
matrixUndividedDeterminant [| [| 1.0; 2.0 |]; [| 3.0; 4.0 |] |]
// exact: -2
// tolerance: 1e-14
vgradReverse (fun m -> snd (matrixLogDeterminant m)) a
// expect: #(#(0.1 1.7 -0.3) #(-0.1 -0.7 0.3) #(0.2 -0.1 -0.1))
matrixMap (mgrad (fun m -> snd (matrixLogDeterminant m)) a) (fun row -> vectorMap row (snd))
// expect: #(#(0.1 1.7 -0.3) #(-0.1 -0.7 0.3) #(0.2 -0.1 -0.1))
// With the cotangent (1, 10, 100) of the solution, that of the right side is its product with the transposed inverse.
snd (vjp (fun v -> matrixSolve a v) [| 1.0; 2.0; 4.0 |] [| 1.0; 10.0; 100.0 |])
// expect: #(-12.9 22.9 -10.8)
// The determinant 10^-400 with the sign -1, a singular matrix, and matrices without elements.
matrixLogDeterminant [| [| 1.0; 1e-200; 0.0 |]; [| 1e-200; 0.0; 1.0 |]; [| 0.0; 0.0; 1.0 |] |]
// expect: (-1 . -921.0340371976182)
matrixLogDeterminant [| [| 1.0; 2.0 |]; [| 2.0; 4.0 |] |]
// exact: (0 . -inf.0)
matrixDeterminant (matrixZeros 0 0)
// exact: 1
matrixLogDeterminant (matrixZeros 0 0)
// exact: (1 . 0)
matrixInverse (matrixZeros 0 0)
// exact: #()
matrixCholesky [| [| 1.0; 0.0 |]; [| 0.0; -1.0 |] |]
// exact: #(#(1 0) #(0 +nan.0))
