vectorZip [| 1.0 |] [| true; false |]
// error: TODO
