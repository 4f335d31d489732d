let halves n v = build (2 * n) (fun k -> if k < n then v[0] * v[2 + k] else v[1] + v[2 + (k - n)])
let jacobian n v = matrixMap (jacob (halves n) v) (fun row -> vectorMap row (snd))
jacobian (0 - 1) [| 3.0; 5.0; 7.0 |]
// error: type 1:18-1:99 a size, a whole number from 0 to 2^32, found -2
// The size of the outputs is negative: no test of the rewritten program fails before.
