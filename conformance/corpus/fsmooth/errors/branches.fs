if true then 1 else false
// error: type 1:21-1:26 a branch of `if`: expected `Num`, found `Bool`
// Branches of two types.
