vectorSlice [| 1.0; 2.0 |] 2 0
// error: type 1:1-1:31 a size, a whole number from 0 to 2^32, found -1
