vectorCross [| 1.0; 2.0; 3.0 |] [| 1.0; 2.0; 3.0; 4.0 |]
// error: type 1:1-1:57 of length 3, found one of length 4
