vectorSlice [| 1.0; 2.0 |] 2 0
// error: TODO
