// Functions that a program in VLAD includes.
let scale v s = build (length v) (fun i -> v[i] * s)
let square x = x * x
let sum v = ifold (fun s i -> s + v[i]) 0 (length v)
