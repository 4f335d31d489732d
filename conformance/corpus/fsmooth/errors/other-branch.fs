let e n v w = build (2 * n) (fun k -> if k < n then fst (1.0, exp (exp v[2 * k])) else fst (2.0, w[k]))
e 2 [| 0.0; 0.0; 0.0 |] [| 1.0; 2.0; 3.0 |]
// error: type 1:98-1:102 a whole number below 3, the length of the vector, as index, found 3
