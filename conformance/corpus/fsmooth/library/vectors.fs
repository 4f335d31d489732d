// Every function of the library on vectors, by hand from its definition.

build1 (fun i -> i + 5)
// exact: #(5)
vectorRange 4
// exact: #(0 1 2 3)
vectorRange 0
// exact: #()
vectorFill 3 2.5
// exact: #(2.5 2.5 2.5)
vectorFill 2 (1.0, true)
// exact: #((1 . #t) (1 . #t))
vectorFill 0 1.0
// exact: #()
vectorZeros 3
// exact: #(0 0 0)
vectorHot 4 2
// exact: #(0 0 1 0)
vectorHot 2 5
// exact: #(0 0)

vectorMap [| 1.0; -2.0; 3.0 |] (fun x -> x * x)
// exact: #(1 4 9)
vectorMap [| 1.0; 4.0 |] sqrt
// exact: #(1 2)
vectorMap [| (1.0, 2.0); (3.0, 4.0) |] (snd)
// exact: #(2 4)
vectorMap [| true; false |] (!)
// exact: #(#f #t)
vectorMap2 [| 1.0; 2.0 |] [| 3.0; 5.0 |] (fun x y -> y - x)
// exact: #(2 3)
vectorMap2 [| 2.0; 3.0 |] [| 3.0; 2.0 |] ( ** )
// exact: #(8 9)
vectorZip [| 1.0; 2.0 |] [| true; false |]
// exact: #((1 . #t) (2 . #f))
vectorSlice [| 0.5; 1.5; 2.5; 3.5 |] 1 2
// exact: #(1.5 2.5)
vectorSlice [| 0.5; 1.5 |] 1 1
// exact: #(1.5)
vectorSlice [| 0.5; 1.5 |] 1 0
// exact: #()

vectorAdd [| 1.0; 2.0 |] [| 10.0; 20.0 |]
// exact: #(11 22)
vectorAdd (vectorRange 3) [| 0.5; 0.5; 0.5 |]
// exact: #(0.5 1.5 2.5)
vectorEMul [| 2.0; 3.0 |] [| 5.0; -7.0 |]
// exact: #(10 -21)
vectorSMul [| 2.0; 3.0 |] 0.5
// exact: #(1 1.5)
vectorSum [| 1.0; 2.0; 4.0 |]
// exact: 7
vectorSum (vectorRange 101)
// exact: 5050
vectorSum [||]
// exact: 0
vectorDot [| 1.0; 2.0; 3.0 |] [| 4.0; -5.0; 6.0 |]
// exact: 12
vectorNorm [| 3.0; -4.0 |]
// exact: 5
// e1 x e2 = e3; (1 2 3) x (4 5 6) = (2*6 - 3*5, 3*4 - 1*6, 1*5 - 2*4).
vectorCross [| 1.0; 0.0; 0.0 |] [| 0.0; 1.0; 0.0 |]
// exact: #(0 0 1)
vectorCross [| 1.0; 2.0; 3.0 |] [| 4.0; 5.0; 6.0 |]
// exact: #(-3 6 -3)
vectorMax [| 1.0; 7.0; 3.0 |]
// exact: 7
vectorMax [| -2.0 |]
// exact: -2
// The sum adds from the left, beginning with 0: (1e16 + 1) + 1 is 1e16, since each addition rounds to even.
vectorSum [| 1e16; 1.0; 1.0 |]
// exact: 10000000000000000
