// Every function of the library on vectors, by hand from its definition.

build1 (fun i -> i + 5)
// expect: #(5)
vectorRange 4
// expect: #(0 1 2 3)
vectorRange 0
// expect: #()
vectorFill 3 2.5
// expect: #(2.5 2.5 2.5)
vectorFill 2 (1.0, true)
// expect: #((1 . #t) (1 . #t))
vectorFill 0 1.0
// expect: #()
vectorZeros 3
// expect: #(0 0 0)
vectorHot 4 2
// expect: #(0 0 1 0)
vectorHot 2 5
// expect: #(0 0)

vectorMap [| 1.0; -2.0; 3.0 |] (fun x -> x * x)
// expect: #(1 4 9)
vectorMap [| 1.0; 4.0 |] sqrt
// expect: #(1 2)
vectorMap [| (1.0, 2.0); (3.0, 4.0) |] (snd)
// expect: #(2 4)
vectorMap [| true; false |] (!)
// expect: #(#f #t)
vectorMap2 [| 1.0; 2.0 |] [| 3.0; 5.0 |] (fun x y -> y - x)
// expect: #(2 3)
vectorMap2 [| 2.0; 3.0 |] [| 3.0; 2.0 |] ( ** )
// expect: #(8 9)
vectorZip [| 1.0; 2.0 |] [| true; false |]
// expect: #((1 . #t) (2 . #f))
vectorSlice [| 0.5; 1.5; 2.5; 3.5 |] 1 2
// expect: #(1.5 2.5)
vectorSlice [| 0.5; 1.5 |] 1 1
// expect: #(1.5)
vectorSlice [| 0.5; 1.5 |] 1 0
// expect: #()

vectorAdd [| 1.0; 2.0 |] [| 10.0; 20.0 |]
// expect: #(11 22)
vectorAdd (vectorRange 3) [| 0.5; 0.5; 0.5 |]
// expect: #(0.5 1.5 2.5)
vectorEMul [| 2.0; 3.0 |] [| 5.0; -7.0 |]
// expect: #(10 -21)
vectorSMul [| 2.0; 3.0 |] 0.5
// expect: #(1 1.5)
vectorSum [| 1.0; 2.0; 4.0 |]
// expect: 7
vectorSum (vectorRange 101)
// expect: 5050
vectorSum [||]
// expect: 0
vectorDot [| 1.0; 2.0; 3.0 |] [| 4.0; -5.0; 6.0 |]
// expect: 12
vectorNorm [| 3.0; -4.0 |]
// expect: 5
// e1 x e2 = e3; (1 2 3) x (4 5 6) = (2*6 - 3*5, 3*4 - 1*6, 1*5 - 2*4).
vectorCross [| 1.0; 0.0; 0.0 |] [| 0.0; 1.0; 0.0 |]
// expect: #(0 0 1)
vectorCross [| 1.0; 2.0; 3.0 |] [| 4.0; 5.0; 6.0 |]
// expect: #(-3 6 -3)
vectorMax [| 1.0; 7.0; 3.0 |]
// expect: 7
vectorMax [| -2.0 |]
// expect: -2
// The sum adds from the left, beginning with 0: (1e16 + 1) + 1 is 1e16, since each addition rounds to even.
vectorSum [| 1e16; 1.0; 1.0 |]
// exact: 10000000000000000
