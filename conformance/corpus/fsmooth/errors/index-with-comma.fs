let m = matrixEye 2
m[1, 1]
// error: syntax 2:4-2:5 `,` cannot stand here
// hint: m[i][j]
// Indices as in other languages.
