[| 1; true |]
// error: type 1:7-1:11 an element: expected `Num`, found `Bool`
// Elements of two types.
