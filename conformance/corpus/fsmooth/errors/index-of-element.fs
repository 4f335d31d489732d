let v = [| 1; 2 |]
v[0][1]
// error: type 2:1-2:5 argument 1 of `get`: expected `Array<'a>`, found `Num`
// hint: this is an element already
