let f v = v[0] + v 1
// error: type 1:18-1:19 expected a function, found `Array<
// hint: v[i]
// An array that is applied.
