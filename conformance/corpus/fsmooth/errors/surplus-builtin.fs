sqrt 1 2
// error: type 1:8-1:9 `sqrt` takes 1 argument, and this is one more
// A function of the language with an argument too many.
