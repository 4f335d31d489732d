let f x = ifold (fun s i -> [| s |]) x 3
// error: type 1:17-1:37 contains itself
// An array that contains itself.
