let f v = (v[0)
// error: read 1:15-1:16 `]` expected, found `)`
// Brackets of two kinds.
