vectorDot [||] [| 1.0 |]
// error: type 1:1-1:25 of length 0, found one of length 1
