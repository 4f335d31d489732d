vectorSlice [| 1.0; 2.0 |] 1 2
// error: TODO
