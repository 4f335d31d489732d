// Pairs. Values by hand.

(1, 2)
// exact: (1 . 2)
fst (1, true)
// exact: 1
snd (1, (2, 3))
// exact: (2 . 3)
let swap p = (snd p, fst p)
swap (1, true)
// exact: (#t . 1)
swap (swap ([| 1 |], 2))
// exact: (#(1) . 2)
((1, 2), (3, 4))
// exact: ((1 . 2) 3 . 4)
let both p = fst p + snd p
both (if 1 < 2 then (1, 2) else (3, 4))
// exact: 3
// Fibonacci numbers: the state is a pair.
fst (ifold (fun s i -> (snd s, fst s + snd s)) (0, 1) 10)
// exact: 55
