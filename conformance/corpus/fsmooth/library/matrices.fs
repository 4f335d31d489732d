// Every function of the library on matrices, by hand from its definition.

let m = [| [| 1.0; 2.0; 3.0 |]; [| 4.0; 5.0; 6.0 |] |]

vectorToMatrix [| 1.0; 2.0 |]
// expect: #(#(1 2))
matrixRows m
// expect: 2
matrixCols m
// expect: 3
matrixZeros 2 3
// expect: #(#(0 0 0) #(0 0 0))
matrixZeros 0 3
// expect: #()
matrixOnes 2 1
// expect: #(#(1) #(1))
matrixEye 3
// expect: #(#(1 0 0) #(0 1 0) #(0 0 1))
matrixHot 2 3 1 2
// expect: #(#(0 0 0) #(0 0 1))
matrixMap m vectorSum
// expect: #(6 15)
matrixMap m (fun row -> vectorSMul row 2.0)
// expect: #(#(2 4 6) #(8 10 12))
matrixMap2 m m vectorDot
// expect: #(14 77)
matrixAdd m (matrixOnes 2 3)
// expect: #(#(2 3 4) #(5 6 7))
matrixZip (matrixEye 2) (matrixOnes 2 2)
// expect: #(#((1 . 1) (0 . 1)) #((0 . 1) (1 . 1)))
matrixTranspose m
// expect: #(#(1 4) #(2 5) #(3 6))
matrixTranspose (matrixTranspose m)
// expect: #(#(1 2 3) #(4 5 6))
// Rows of m by columns of m': 1 + 4 + 9 = 14, 4 + 10 + 18 = 32, 16 + 25 + 36 = 77.
matrixMul m (matrixTranspose m)
// expect: #(#(14 32) #(32 77))
matrixMult (matrixEye 2) m
// expect: #(#(1 2 3) #(4 5 6))
matrixTrace [| [| 1.0; 9.0 |]; [| 9.0; 3.0 |] |]
// expect: 4
matrixTrace (matrixEye 5)
// expect: 5
vectorOutProd [| 1.0; 2.0 |] [| 3.0; 4.0; 5.0 |]
// expect: #(#(3 4 5) #(6 8 10))
// u M v' with rows u = (1 2) and v = (1 0 -1): (1 2) M is (9 12 15), and 9 - 15 is -6.
let u = vectorToMatrix [| 1.0; 2.0 |]
let v = vectorToMatrix [| 1.0; 0.0; -1.0 |]
matrixMult u (matrixMult m (matrixTranspose v))
// expect: #(#(-6))
