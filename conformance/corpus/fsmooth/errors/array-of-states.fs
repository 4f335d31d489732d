let t = ifold (fun s i -> [| s |]) 0.0 3
// error: type 1:15-1:35 contains itself
// A state that contains the state before, in an array.
