// `deriv` by numbers, vectors, matrices, pairs and arrays of any sort; what does not vary is constant.

let x = 3.0
deriv x x
// exact: (3 . 1)
deriv 5.0 x
// exact: (5 . 0)
deriv [| x; 1.0 |] x
// exact: #((3 . 1) (1 . 0))
deriv (x * x, x) x
// exact: ((9 . 6) 3 . 1)

let v = [| 1.0; 2.0 |]
deriv v v
// exact: #(#((1 . 1) (2 . 0)) #((1 . 0) (2 . 1)))
deriv (v[0] * x) v
// exact: #((3 . 3) (3 . 0))
let m = [| [| 1.0; 2.0 |]; [| 3.0 |] |]
deriv (m[0][1] * m[1][0]) m
// exact: #(#((6 . 0) (6 . 3)) #((6 . 2)))
let empty = vectorZeros 0
deriv (vectorSum empty) empty
// exact: #()

let p = (2.0, [| 5.0; 7.0 |])
deriv (fst p * (snd p)[1]) p
// exact: ((14 . 7) . #((14 . 0) (14 . 2)))
let pairs = [| (1.0, 2.0); (3.0, 4.0) |]
deriv (fst pairs[0] * snd pairs[1]) pairs
// exact: #(((4 . 4) 4 . 0) ((4 . 0) 4 . 1))
let deep = [| [| [| 2.0 |] |]; [| [| 3.0; 4.0 |]; [||] |] |]
deriv (deep[1][0][0] ** 2.0 + deep[0][0][0]) deep
// exact: #(#(#((11 . 1))) #(#((11 . 6) (11 . 0)) #()))

// Indices, sizes and booleans have no tangents; an index that is widened is a constant.
deriv (x * length v) x
// exact: (6 . 2)
deriv (vectorDot (vectorRange 2) v) v
// exact: #((2 . 0) (2 . 1))
deriv (ifold (fun s i -> s * x + i) 1.0 3) x
// exact: (32 . 28)
deriv ((if x > 2.0 && !(x == 4.0) then x * x else x), x > 2.0) x
// exact: ((9 . 6) . #t)
deriv (let w = build 3 (fun i -> i * x) in w[2]) x
// exact: (6 . 2)
deriv (fst (ifold (fun s i -> (fst s * x, snd s + 1)) (1.0, 0) 4)) x
// exact: (81 . 108)
