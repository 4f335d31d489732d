// Arrays made of a row of a matrix, and arrays one of whose elements is made otherwise, which exports make with packed instructions, as
// far as all that is tested of the index holds; and loops over the elements of an array behind it. The values were computed apart from
// the project, from the formula of each element.

let m = [| [| 1.5; 2; 0.25; 4; -1 |]; [| 8; 0.5; 3; 7; 2 |]; [| 1; 1; 2; 3; 5 |] |]
let v = [| 2; 4; 0.5; 8; 1 |]
let row (i : Index) (n : Index) = build n (fun j -> m[i][j] / v[j])
row 0 5
// exact: #(0.75 0.5 0.5 0.5 -1)
row 2 3
// exact: #(0.5 0.25 4)
row 1 0
// exact: #()
let both (i : Index) (n : Index) = build n (fun j -> m[i][2 * j] * m[i + 1][n - j] - v[j + 1])
both 0 3
// exact: #(6.5 0.25 -8.5)
both 1 2
// exact: #(12 2.5)
let folded (n : Index) = ifold (fun s i -> build n (fun j -> s[j] * 0.5 + m[i][j] / v[j])) (build n (fun j -> v[j])) 3
folded 5
// exact: #(2.9375 0.9375 7.1875 1.9375 5.875)
folded 1
// exact: #(2.9375)
folded 0
// exact: #()
// Rows of different lengths: what is read has to be there.
let ragged (r : Matrix) (i : Index) (n : Index) = build n (fun j -> r[i][j] * 2.0)
ragged (build 3 (fun i -> build (i + 1) (fun j -> 10.0 * i + j))) 2 3
// exact: #(40 42 44)
let hot (n : Index) (h : Index) =
  build n (fun j -> (if j = h then v[0] * 3.0 else 1.0) / (if j = h then v[h + 1] else v[j]))
hot 5 (0)
// exact: #(1.5 0.25 2 0.125 1)
hot 5 (3)
// exact: #(0.5 0.25 2 6 1)
hot 4 (1)
// exact: #(0.5 12 2 0.125)
hot 3 (4)
// exact: #(0.5 0.25 2)
hot 1 (0)
// exact: #(1.5)
hot 0 (2)
// exact: #()
hot 5 (-1)
// exact: #(0.5 0.25 2 0.125 1)
// One infinite element: all elements are made again.
let w = [| 1; 2; 1 / 0.0; 4 |]
let inverse (h : Index) = build 4 (fun j -> (if j = h then 1.0 else 0.0) + 1.0 / w[j])
inverse 2
// exact: #(1 0.5 1 0.25)
inverse 3
// exact: #(1 0.5 0 1.25)
// Sums of roots, whose squares are known.
let roots (n : Index) =
  let t = build n (fun i -> v[i] ** 2.0)
  let s = ifold (fun s i -> if t[i] > 1.0 then s * 0.5 + t[i] else s - 1.0) 0.25 n
  build n (fun k -> t[k] - s)
roots 5
// exact: #(-67.53125 -55.53125 -71.28125 -7.53125 -70.53125)
roots 2
// exact: #(-14.0625 -2.0625)
roots 1
// exact: #(-0.125)
roots 0
// exact: #()
