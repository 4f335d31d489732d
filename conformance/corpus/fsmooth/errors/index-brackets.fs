let v = [1; 2]
// error: syntax 1:9-1:10 `[` cannot stand here
// hint: [| a; b |]
// An array in the brackets of an index.
