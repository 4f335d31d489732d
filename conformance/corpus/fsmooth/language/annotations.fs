// Types in programs: of parameters, results and expressions.

let norm (v : Vector) : Double = sqrt (ifold (fun s i -> s + v[i] * v[i]) 0 (length v))
norm [| 3; 4 |]
// exact: 5
let trace (m : Matrix) = ifold (fun s i -> s + m[i][i]) 0 (length m)
trace [| [| 1; 2 |]; [| 3; 4 |] |]
// exact: 5
let at (v : Array<Double * Bool>) (i : Index) = fst v[i]
at [| (1.5, true) |] 0
// exact: 1.5
let apply (f : Double => Double) (x : Double) : Double = f x
apply (fun x -> x + 1) 2
// exact: 3
let curried (f : Double -> Card => Double) = f 0.5 2
curried (fun x n -> x * n)
// exact: 1
(3 : Index)
// exact: 3
((1, [| 2 |]) : Double * Vector)
// exact: (1 . #(2))
fun (x : DoubleD) (m : MatrixD) (w : VectorD) -> fst x + fst m[0][0] + snd w[0]
// exact: #<procedure>
