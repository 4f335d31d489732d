vectorSlice [| 1.0; 2.0 |] (-1) 0
// error: type 1:1-1:34 a whole number below 2, the length of the vector, as index, found -1
