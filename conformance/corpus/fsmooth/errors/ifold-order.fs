ifold 0 (fun s i -> s + i) 3
// error: type 1:7-1:8 argument 1 of `ifold`
// hint: swapped
// Arguments of `ifold` in the wrong order.
