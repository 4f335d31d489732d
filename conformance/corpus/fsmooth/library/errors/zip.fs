vectorZip [| 1.0 |] [| true; false |]
// error: type 1:1-1:38 of length 1, found one of length 2
