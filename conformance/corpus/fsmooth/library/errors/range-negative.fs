vectorRange (-1)
// error: type 1:1-1:17 a size, a whole number from 0 to 2^32, found -1
