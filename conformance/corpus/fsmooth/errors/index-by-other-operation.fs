let g y = sin (exp (sin y)) * cos (exp y) + sin (y * y * y) * cos (exp (y * y)) + exp (sin (y + 1.0))
let f x n k = length (build n (fun i -> g (g (x[min i k]) + g (g (x[max i k])))))
f [| 1.0; 2.0; 3.0; 4.0; 5.0 |] 5 7
// error: type 2:66-2:78 `v[i]` expects a whole number below 5, the length of the vector, as index, found 7
// The smaller of two numbers is an index, and the larger is none.
