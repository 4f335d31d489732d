matrixCols (matrixZeros 0 3)
// error: type 1:1-1:29 a whole number below 0, the length of the vector, as index, found 0
