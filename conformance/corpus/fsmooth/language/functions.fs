// Functions, partial application, operators as values. Values by hand.

let add a b = a + b
add 1 2
// exact: 3
let increment = add 1
increment 41
// exact: 42
(fun a b c -> a - b - c) 10 2 3
// exact: 5
let twice f x = f (f x)
twice (fun x -> x * x) 3
// exact: 81
twice (add 5) 1
// exact: 11
let compose f g = fun x -> f (g x)
compose sqrt abs (-9)
// exact: 3
(+) 1 2
// exact: 3
( * ) 3 4
// exact: 12
(*) 3 4
// exact: 12
(-) 7 2
// exact: 5
( ** ) 2 5
// exact: 32
(<) 1 2
// exact: #t
(!) false
// exact: #t
(&&) true false
// exact: #f
(||) false true
// exact: #t
(<>) 1 1
// exact: #f
let fold f z v = ifold (fun s i -> f s v[i]) z (length v)
fold (+) 0 [| 1; 2; 3 |]
// exact: 6
fold max 0 [| 1; 5; 3 |]
// exact: 5
fold (&&) true [| true; false |]
// exact: #f
// A function of the language without all its operands evaluates those that are given once.
let squares = build 4
squares (fun i -> i * i)
// exact: #(0 1 4 9)
let pick = get [| 7; 8; 9 |]
pick 1 + pick 2
// exact: 17
let count = ifold (fun s i -> s + i)
count 100 4
// exact: 106
pair 1 true
// exact: (1 . #t)
// A local function that is used with fewer arguments than it has.
let partial x =
  let f = fun a b c -> a * b + c
  let g = f x
  let h = g 10
  h 1 + f 1 1 1
partial 3
// exact: 33
// A local function that is used with all its arguments.
let whole x =
  let f = fun a b -> a * b
  f x 2 + f 3 x
whole 4
// exact: 20
