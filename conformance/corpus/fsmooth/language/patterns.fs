// Patterns of pairs: in functions, definitions and `let`. Values by hand.

let swap (a, b) = (b, a)
swap (1, true)
// exact: (#t . 1)
// Nested ones, `_`, which names nothing, and types.
let middle (_, (b, _)) = b
middle (1, (2, 3))
// exact: 2
let weighted ((a : Double, b), w : Double) = w * a + (1 - w) * b
weighted ((2, 4), 0.25)
// exact: 3.5
let typed ((a, b) : Index * Bool) = if b then a else 0
typed (3, true)
// exact: 3
// Parentheses around one name.
let twice (x) = 2 * x
twice (fst (4, 5))
// exact: 8
// Beside other parameters, and with all of them or with some.
let step (a, b) i (c) = a + b * i - c
step (1, 2) 3 4
// exact: 3
let rest = step (1, 2)
rest 3 4
// exact: 3
// The state of a loop: Fibonacci numbers.
fst (ifold (fun (a, b) _ -> (b, a + b)) (0, 1) 10)
// exact: 55
// Definitions of several names; the pair is made once.
let (one, (two, flag)) = (1, (2, 1 < 2))
one + two
// exact: 3
flag
// exact: #t
let (xs, n) : Vector * Index = ([| 1; 2 |], 1)
xs[n]
// exact: 2
// The names of a pattern hide others, and those of its own value are the old ones.
let turn n =
  let (a, b) = (n, n + 1)
  let (a, b) = (b, a)
  let (_, _) = (a, b) in (a, b)
turn 1
// exact: (2 . 1)
(let (a, _) = (5, [| |]) in a)
// exact: 5
// `_` as a parameter, and as a name of definitions, more than once.
let _ = 1
let _ = [| true |]
let five _ = 5
five [| 1 |]
// exact: 5
(fun _ _ -> 6) 1 2
// exact: 6
// `pair` is still the function.
let both (a, b) = pair b (pair a a)
both (1, 2)
// exact: (2 1 . 1)
// Derivatives by parts, and of functions of pairs.
let product (a, b) = a * b
jvp product (3, 4) (1, 0)
// exact: (12 . 4)
vjp product (3, 4) 1
// exact: (12 4 . 3)
let area p =
  let (a, b) = p
  deriv (a * a * b) a
area (3, 2)
// exact: (18 . 12)
let energy v = (let (s, _) = ifold (fun (s, t) i -> (s + t * v[i], t * 2)) (0, 1) (length v) in s)
vectorMap (grad energy [| 1; 1; 1 |]) (fun (_, slope) -> slope)
// exact: #(1 2 4)
