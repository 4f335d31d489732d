build (fun i -> i) 3
// error: type 1:7-1:19 argument 1 of `build`: expected `Num`, found `
// hint: swapped
// Arguments of `build` in the wrong order.
