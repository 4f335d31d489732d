randomInteger 0 (randomState 1)
// error: type 1:1-1:32 a whole number below 1
