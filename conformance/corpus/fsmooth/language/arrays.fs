// Arrays, indices and loops. Values by hand and from closed forms.

[| 1; 2; 3 |]
// exact: #(1 2 3)
[| |]
// exact: #()
[| 1; |]
// exact: #(1)
[| [| 1 |]; [| |] |]
// exact: #(#(1) #())
[| true; 1 < 0 |]
// exact: #(#t #f)
[| (1, 2) |]
// exact: #((1 . 2))
[| [| 1; 2 |]; [| 3; 4 |] |][1][0]
// exact: 3
length [| 5; 6; 7 |]
// exact: 3
build 0 (fun i -> i)
// exact: #()
build 3 (fun i -> build i (fun j -> i * j))
// exact: #(#() #(0) #(0 2))
// An index binds more than application: this is sqrt (v[1]).
let v = [| 1; 16 |]
sqrt v[1]
// exact: 4
// Sum of the squares below n: (n - 1) n (2 n - 1) / 6.
ifold (fun s i -> s + i * i) 0 100
// exact: 328350
ifold (fun s i -> s + 1) 7 0
// exact: 7
// A product of matrices.
let multiply a b =
  build (length a) (fun i ->
    build (length b[0]) (fun j ->
      ifold (fun s k -> s + a[i][k] * b[k][j]) 0 (length b)))
multiply [| [| 1; 2 |]; [| 3; 4 |] |] [| [| 0; 1 |]; [| 1; 0 |] |]
// exact: #(#(2 1) #(4 3))
// A loop whose state is an array.
ifold (fun s i -> build 2 (fun j -> s[1 - j] + i)) [| 1; 2 |] 3
// exact: #(5 4)
