let f (a, b, c) = a
fun ((a, b, c), i) -> a
let g (1, x) = x
let h (a b) = a
// error: syntax 1:12-1:13 `,` cannot stand here
// hint: (a, (b, c))
// error: syntax 2:11-2:12 `,` cannot stand here
// hint: (a, (b, c))
// error: syntax 3:8-3:9 a number cannot stand here
// hint: a pattern is a name
// error: syntax 4:10-4:11 a name cannot stand here
// hint: a pattern is a name
// Patterns that are none.
