let f x = (x + 1
f 1
// error: read 1:11-1:12 this `(` is never closed
// hint: in the column of the first one
// A bracket that is not closed, before a new item.
