let f (v : Array<Double => Double>) = 1
// error: type 1:12-1:35 no element of an array
// A function in the type of an array.
