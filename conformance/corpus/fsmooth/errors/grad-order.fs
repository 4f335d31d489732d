grad [| 1 |] (fun v -> v[0])
// error: type 1:6-1:13 argument 1 of `grad`
// hint: swapped
// Arguments of `grad` in the wrong order.
