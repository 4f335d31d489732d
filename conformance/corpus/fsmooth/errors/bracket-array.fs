[| 1; 2 ]
// error: read 1:9-1:10 `|]` expected, found `]`
// An array that is closed like an index.
