vectorMap2 [| 1.0; 2.0; 3.0 |] [| 1.0; 2.0 |] (fun a b -> a)
// error: type 1:1-1:61 of length 3, found one of length 2
