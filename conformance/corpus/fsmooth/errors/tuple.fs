(1, 2, 3)
// error: syntax 1:6-1:7 `,` cannot stand here
// hint: (a, b)
// Three parts of a pair.
