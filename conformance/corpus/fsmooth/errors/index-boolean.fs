[| 1 |][true]
// error: type 1:9-1:13 argument 2 of `get`: expected `Num`, found `Bool`
// A boolean as an index.
