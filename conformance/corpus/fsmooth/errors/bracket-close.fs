let f x = x + 1)
// error: read 1:16-1:17 this `)` closes nothing
// A bracket that closes nothing.
