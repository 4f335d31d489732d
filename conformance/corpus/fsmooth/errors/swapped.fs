let scale v s = build (length v) (fun i -> v[i] * s)
scale 2 [| 1 |]
// error: type 2:7-2:8 argument 1 of `scale`: expected `Array<Num>`, found `Num`
// hint: swapped
// Arguments in the wrong order.
