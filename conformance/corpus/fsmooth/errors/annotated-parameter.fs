let f (v : Vector) = v[0]
f 1
// error: type 2:3-2:4 argument 1 of `f`: expected `Array<Num>`, found `Num`
// An argument of another type than is written.
