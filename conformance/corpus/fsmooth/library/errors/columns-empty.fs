matrixCols (matrixZeros 0 3)
// error: TODO
