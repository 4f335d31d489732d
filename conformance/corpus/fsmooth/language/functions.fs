// Functions, partial application, operators as values. Values by hand.

let add a b = a + b
add 1 2
// expect: 3
let increment = add 1
increment 41
// expect: 42
(fun a b c -> a - b - c) 10 2 3
// expect: 5
let twice f x = f (f x)
twice (fun x -> x * x) 3
// expect: 81
twice (add 5) 1
// expect: 11
let compose f g = fun x -> f (g x)
compose sqrt abs (-9)
// expect: 3
(+) 1 2
// expect: 3
( * ) 3 4
// expect: 12
(*) 3 4
// expect: 12
(-) 7 2
// expect: 5
( ** ) 2 5
// expect: 32
(<) 1 2
// expect: #t
(!) false
// expect: #t
(&&) true false
// expect: #f
(||) false true
// expect: #t
(<>) 1 1
// expect: #f
let fold f z v = ifold (fun s i -> f s v[i]) z (length v)
fold (+) 0 [| 1; 2; 3 |]
// expect: 6
fold max 0 [| 1; 5; 3 |]
// expect: 5
fold (&&) true [| true; false |]
// expect: #f
// A function of the language without all its operands evaluates those that are given once.
let squares = build 4
squares (fun i -> i * i)
// expect: #(0 1 4 9)
let pick = get [| 7; 8; 9 |]
pick 1 + pick 2
// expect: 17
let count = ifold (fun s i -> s + i)
count 100 4
// expect: 106
pair 1 true
// expect: (1 . #t)
// A local function that is used with fewer arguments than it has.
let partial x =
  let f = fun a b c -> a * b + c
  let g = f x
  let h = g 10
  h 1 + f 1 1 1
partial 3
// expect: 33
// A local function that is used with all its arguments.
let whole x =
  let f = fun a b -> a * b
  f x 2 + f 3 x
whole 4
// expect: 20
