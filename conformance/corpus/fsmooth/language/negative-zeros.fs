let y = [| 1.0; -0.0 |]
let f (x : Double) (y : Double) = (if y > 0.0 then x else guarded x y) + 0.0
let g (x : Double) (v : Array<Double>) (n : Index) = (ifold (fun s i -> guarded s v[i]) x n) + 0.0
f (y[1]) (y[0])
// expect: 0
g (y[1]) y 0
// expect: 0
1.0 / f (y[1]) (y[0])
// expect: +inf.0
// A choice or an iteration with one guarded product keeps the signs of other zeros.
