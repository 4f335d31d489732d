let (a, (b, c)) = 1 +
a + b
let (d, e) = unknown
d
_
// error: syntax 1:21-1:22 something is missing behind `+`
// error: unbound 3:14-3:21 `unknown` is not defined
// error: unbound 5:1-5:2 `_` is not defined
// The names of a pattern whose value has an error are not reported; `_` names nothing.
