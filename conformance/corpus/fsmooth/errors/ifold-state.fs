ifold (fun s i -> s > i) 0 3
// error: type 1:7-1:25 argument 1 of `ifold`: expected
// A step that changes the type of the state.
