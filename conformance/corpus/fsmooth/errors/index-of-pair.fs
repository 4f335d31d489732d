let p = (1, 2)
p[0]
// error: type 2:1-2:2 argument 1 of `get`
// hint: fst p and snd p
// An element of a pair.
