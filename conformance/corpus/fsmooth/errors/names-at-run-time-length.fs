let three v = ofLength v 3
three [| 1; 2 |]
// error: type 1:15-1:27 `ofLength` expects a vector of length 3
