// Every function of the library on matrices, by hand from its definition.

let m = [| [| 1.0; 2.0; 3.0 |]; [| 4.0; 5.0; 6.0 |] |]

vectorToMatrix [| 1.0; 2.0 |]
// exact: #(#(1 2))
matrixRows m
// exact: 2
matrixCols m
// exact: 3
matrixZeros 2 3
// exact: #(#(0 0 0) #(0 0 0))
matrixZeros 0 3
// exact: #()
matrixOnes 2 1
// exact: #(#(1) #(1))
matrixEye 3
// exact: #(#(1 0 0) #(0 1 0) #(0 0 1))
matrixHot 2 3 1 2
// exact: #(#(0 0 0) #(0 0 1))
matrixMap m vectorSum
// exact: #(6 15)
matrixMap m (fun row -> vectorSMul row 2.0)
// exact: #(#(2 4 6) #(8 10 12))
matrixMap2 m m vectorDot
// exact: #(14 77)
matrixAdd m (matrixOnes 2 3)
// exact: #(#(2 3 4) #(5 6 7))
matrixZip (matrixEye 2) (matrixOnes 2 2)
// exact: #(#((1 . 1) (0 . 1)) #((0 . 1) (1 . 1)))
matrixTranspose m
// exact: #(#(1 4) #(2 5) #(3 6))
matrixTranspose (matrixTranspose m)
// exact: #(#(1 2 3) #(4 5 6))
// Rows of m by columns of m': 1 + 4 + 9 = 14, 4 + 10 + 18 = 32, 16 + 25 + 36 = 77.
matrixMul m (matrixTranspose m)
// exact: #(#(14 32) #(32 77))
matrixMult (matrixEye 2) m
// exact: #(#(1 2 3) #(4 5 6))
matrixTrace [| [| 1.0; 9.0 |]; [| 9.0; 3.0 |] |]
// exact: 4
matrixTrace (matrixEye 5)
// exact: 5
vectorOutProd [| 1.0; 2.0 |] [| 3.0; 4.0; 5.0 |]
// exact: #(#(3 4 5) #(6 8 10))
// u M v' with rows u = (1 2) and v = (1 0 -1): (1 2) M is (9 12 15), and 9 - 15 is -6.
let u = vectorToMatrix [| 1.0; 2.0 |]
let v = vectorToMatrix [| 1.0; 0.0; -1.0 |]
matrixMult u (matrixMult m (matrixTranspose v))
// exact: #(#(-6))
