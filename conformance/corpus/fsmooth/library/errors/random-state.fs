randomState (-1)
// error: type 1:1-1:17 a whole number below 1
