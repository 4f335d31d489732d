let f x = (x + 1
f 1
// error: read 1:11-1:12 this `(` is never closed
// hint: column 1
// A bracket that is not closed, before a new item.
