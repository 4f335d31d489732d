(true : Double)
// error: type 1:2-1:6 its type is written: expected `Num`, found `Bool`
// An expression of another type than is written.
