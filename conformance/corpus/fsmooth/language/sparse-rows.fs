// Matrices whose last rows are sparse: each number that is not 0 lies behind an equality of row and column. The values were computed
// apart from the project, from the formula of each element.

let odd v (r : Index) (c : Index) =
  build r (fun i -> build c (fun j -> if i = 2 * j + 1 then v[j] else if i = j then 7.0 else 0.0))
odd [| 1.5; 2; 3; 4 |] 0 0
// exact: #()
odd [| 1.5; 2; 3; 4 |] 3 0
// exact: #(#() #() #())
odd [| 1.5; 2; 3; 4 |] 0 3
// exact: #()
odd [| 1.5; 2; 3; 4 |] 1 1
// exact: #(#(7))
odd [| 1.5; 2; 3; 4 |] 3 4
// exact: #(#(7 0 0 0) #(1.5 7 0 0) #(0 0 7 0))
odd [| 1.5; 2; 3; 4 |] 9 4
// exact: #(#(7 0 0 0) #(1.5 7 0 0) #(0 0 7 0) #(0 2 0 7) #(0 0 0 0) #(0 0 3 0) #(0 0 0 0) #(0 0 0 4) #(0 0 0 0))
odd [| 1.5; 2; 3; 4 |] 4 4
// exact: #(#(7 0 0 0) #(1.5 7 0 0) #(0 0 7 0) #(0 2 0 7))
// Only the numbers that are wanted are read.
odd [| 1.5 |] 3 4
// exact: #(#(7 0 0 0) #(1.5 7 0 0) #(0 0 7 0))

// Rows that are no sparse ones stand before them, and between them.
let rows v (r : Index) (c : Index) (n : Index) = build r (fun i ->
  if i = 3 then build c (fun j -> v[0] * 2.0)
  else if i = 0 then vectorSlice v 0 (c - 1)
  else build c (fun j -> if j + i = n then v[1] else if 5 + j = i then v[2] + v[j] else 0.0))
rows [| 1.5; 2; 3; 4 |] 0 2 3
// exact: #()
rows [| 1.5; 2; 3; 4 |] 1 2 3
// exact: #(#(1.5 2))
rows [| 1.5; 2; 3; 4 |] 2 2 2
// exact: #(#(1.5 2) #(0 2))
rows [| 1.5; 2; 3; 4 |] 4 4 4
// exact: #(#(1.5 2 3 4) #(0 0 0 2) #(0 0 2 0) #(3 3 3 3))
rows [| 1.5; 2; 3; 4 |] 8 4 5
// exact: #(#(1.5 2 3 4) #(0 0 0 0) #(0 0 0 2) #(3 3 3 3) #(0 2 0 0) #(2 0 0 0) #(0 5 0 0) #(0 0 6 0))
rows [| 1.5; 2; 3; 4 |] 8 4 0
// exact: #(#(1.5 2 3 4) #(0 0 0 0) #(0 0 0 0) #(3 3 3 3) #(0 0 0 0) #(4.5 0 0 0) #(0 5 0 0) #(0 0 6 0))
rows [| 1.5; 2; 3; 4 |] 7 3 8
// exact: #(#(1.5 2 3) #(0 0 0) #(0 0 0) #(3 3 3) #(0 0 0) #(4.5 0 0) #(0 5 2))
rows [| 1.5; 2; 3; 4 |] 9 4 (-1)
// exact: #(#(1.5 2 3 4) #(0 0 0 0) #(0 0 0 0) #(3 3 3 3) #(0 0 0 0) #(4.5 0 0 0) #(0 5 0 0) #(0 0 6 0) #(0 0 0 7))
rows [| 1.5; 2; 3; 4 |] 8 4 100
// exact: #(#(1.5 2 3 4) #(0 0 0 0) #(0 0 0 0) #(3 3 3 3) #(0 0 0 0) #(4.5 0 0 0) #(0 5 0 0) #(0 0 6 0))

// What is compared need not be whole, or of moderate size.
let shifted v (r : Index) (c : Index) x = build r (fun i -> build c (fun j -> if i = x - j then v[j] else 0.0))
shifted [| 1.5; 2; 3; 4 |] 3 4 2
// exact: #(#(0 0 3 0) #(0 2 0 0) #(1.5 0 0 0))
shifted [| 1.5; 2; 3; 4 |] 3 4 0
// exact: #(#(1.5 0 0 0) #(0 0 0 0) #(0 0 0 0))
shifted [| 1.5; 2; 3; 4 |] 3 4 (-1)
// exact: #(#(0 0 0 0) #(0 0 0 0) #(0 0 0 0))
shifted [| 1.5; 2; 3; 4 |] 3 4 1.5
// exact: #(#(0 0 0 0) #(0 0 0 0) #(0 0 0 0))
shifted [| 1.5; 2; 3; 4 |] 3 4 1e15
// exact: #(#(0 0 0 0) #(0 0 0 0) #(0 0 0 0))
shifted [| 1.5; 2; 3; 4 |] 3 4 9007199254740992
// exact: #(#(0 0 0 0) #(0 0 0 0) #(0 0 0 0))
shifted [| 1.5; 2; 3; 4 |] 3 4 (1.0 / 0.0)
// exact: #(#(0 0 0 0) #(0 0 0 0) #(0 0 0 0))
shifted [| 1.5; 2; 3; 4 |] 3 4 (0.0 / 0.0)
// exact: #(#(0 0 0 0) #(0 0 0 0) #(0 0 0 0))

// Two halves of columns.
let halves v (r : Index) (n : Index) = build r (fun i -> build (2 * n) (fun j ->
  if j < n then (if i = 1 + 2 * j then v[j] else if i = 2 + 2 * j then 0.0 - v[j] else 0.0)
  else if i = 1 + 2 * (j - n) then v[j - n] * 2.0 else if i = 2 + 2 * (j - n) then v[j - n] * 3.0 else 0.0))
halves [| 1.5; 2; 3; 4 |] 0 2
// exact: #()
halves [| 1.5; 2; 3; 4 |] 1 1
// exact: #(#(0 0))
halves [| 1.5; 2; 3; 4 |] 9 4
// exact: #(#(0 0 0 0 0 0 0 0) #(1.5 0 0 0 3 0 0 0) #(-1.5 0 0 0 4.5 0 0 0) #(0 2 0 0 0 4 0 0) #(0 -2 0 0 0 6 0 0) #(0 0 3 0 0 0 6 0) #(0 0 -3 0 0 0 9 0) #(0 0 0 4 0 0 0 8) #(0 0 0 -4 0 0 0 12))
halves [| 1.5; 2; 3; 4 |] 5 4
// exact: #(#(0 0 0 0 0 0 0 0) #(1.5 0 0 0 3 0 0 0) #(-1.5 0 0 0 4.5 0 0 0) #(0 2 0 0 0 4 0 0) #(0 -2 0 0 0 6 0 0))
halves [| 1.5; 2; 3; 4 |] 12 3
// exact: #(#(0 0 0 0 0 0) #(1.5 0 0 3 0 0) #(-1.5 0 0 4.5 0 0) #(0 2 0 0 4 0) #(0 -2 0 0 6 0) #(0 0 3 0 0 6) #(0 0 -3 0 0 9) #(0 0 0 0 0 0) #(0 0 0 0 0 0) #(0 0 0 0 0 0) #(0 0 0 0 0 0) #(0 0 0 0 0 0))

// An element that reads the number of its row, and what fails.
let own v (r : Index) (c : Index) = build r (fun i -> build c (fun j -> if i = j + 1 then (if v[i] > 2.5 then v[i] + v[j] else 0.5) else 0.0))
own [| 1.5; 2; 3; 4 |] 4 4
// exact: #(#(0 0 0 0) #(0.5 0 0 0) #(0 5 0 0) #(0 0 7 0))
own [| 1.5; 2; 3; 4 |] 2 1
// exact: #(#(0) #(0.5))
own [| 1.5; 2; 3; 4 |] 3 0
// exact: #(#() #() #())
own [| 1.5; 2; 3; 4 |] 4 9
// exact: #(#(0 0 0 0 0 0 0 0 0) #(0.5 0 0 0 0 0 0 0 0) #(0 5 0 0 0 0 0 0 0) #(0 0 7 0 0 0 0 0 0))
own [| 1.5; 2; 3; 4 |] 5 2
// exact: #(#(0 0) #(0.5 0) #(0 5) #(0 0) #(0 0))
own [| 1.5; 2; 3; 4 |] 5 4
// error: type 83:95-83:99 `v[i]` expects a whole number below 4, the length of the vector, as index, found 4
