write sin
write 1 2
// error: type 1:7-1:10 argument 1 of `write`: expected a value without functions
// error: type 2:9-2:10 `write` takes 1 argument
// Functions are not written.
