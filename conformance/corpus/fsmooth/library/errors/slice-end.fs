vectorSlice [| 1.0; 2.0 |] 1 2
// error: type 1:1-1:31 a whole number below 2, the length of the vector, as index, found 2
