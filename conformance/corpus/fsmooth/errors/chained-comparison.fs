1 < 2 < 3
// error: syntax 1:7-1:8 `<` cannot stand here
// hint: a < b && b < c
// Comparisons do not chain.
