vectorDot [||] [| 1.0 |]
// error: TODO
