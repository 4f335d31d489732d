vectorAdd [| 1.0; 2.0 |] [| 1.0; 2.0; 3.0 |]
// error: TODO
