randomInteger 2.5 (randomState 1)
// error: type 1:15-1:18 expected `Index`, found `Double`
