// `Num` is a number of either kind, which is inferred.

let at (v : Array<Num>) (i : Num) : Num = v[i]
at [| 0.5; 2.5 |] 1
// exact: 2.5
at [| 1; 2 |] 0
// exact: 1
let half (x : Num) = x / 2
half 3
// exact: 1.5
let more (n : Num) : Num = n + 1
build (more 2) (fun i -> (i : Num))
// exact: #(0 1 2)
more 0.5
// exact: 1.5
let apply (f : Num => Num) (p : Num * Bool) = if snd p then f (fst p) else 0
apply (fun x -> x * x) (3, true)
// exact: 9
