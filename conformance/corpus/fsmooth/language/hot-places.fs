// Arrays with one element that is made otherwise, at a place that is an index, or none: negative, too large, no whole
// number, no number.

let hot n h = build n (fun i -> if i = h then 7 else 2)
let scaled v h = build (length v) (fun i -> let x = v[i] * 2.0 in if h = i then x + 1.0 else x)
let pairs n h = build n (fun i -> if i = h then (1.0, i + 10) else (0.0, n))
let grid n = build n (fun i -> build n (fun j -> if i = j then 1 else 0))
let nan = 0.0 / 0.0

build 5 (fun h -> hot 4 (h - 1))
// exact: #(#(2 2 2 2) #(7 2 2 2) #(2 7 2 2) #(2 2 7 2) #(2 2 2 7))
hot 3 0.5
// exact: #(2 2 2)
hot 3 3.0
// exact: #(2 2 2)
hot 3 (-1.0)
// exact: #(2 2 2)
hot 3 nan
// exact: #(2 2 2)
hot 2 (-0.0)
// exact: #(7 2)
hot 0 0.0
// exact: #()
scaled [| 1.0; 2.0; 3.0 |] 1.0
// exact: #(2 5 6)
pairs 3 2.0
// exact: #((0 . 3) (0 . 3) (1 . 12))
grid 3
// exact: #(#(1 0 0) #(0 1 0) #(0 0 1))
