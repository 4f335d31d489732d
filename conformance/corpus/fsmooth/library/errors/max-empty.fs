vectorMax [||]
// error: type 1:1-1:15 a whole number below 0, the length of the vector, as index, found 0
