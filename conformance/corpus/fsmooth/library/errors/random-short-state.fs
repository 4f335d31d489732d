randomReal [| 1; 2; 3 |]
// error: type 1:1-1:25 of length 6, found one of length 3
