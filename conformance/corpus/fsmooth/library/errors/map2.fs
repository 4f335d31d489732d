vectorMap2 [| 1.0; 2.0; 3.0 |] [| 1.0; 2.0 |] (fun a b -> a)
// error: TODO
