// `write` prints its operand and is it. Output is in the order of evaluation, with rewriting and without. Values by hand.

1 + write 2
// exact: 2
// exact: 3
// A loss curve: descent for (w - 3)^2 from 0 by 1/4 of the gradient halves the distance.
let loss w = (w - 3) * (w - 3)
let trained = ifold (fun w i ->
  let _ = write (i, loss w)
  w - 0.25 * snd (diff loss w)) 0 3
// exact: (0 . 9)
// exact: (1 . 2.25)
// exact: (2 . 0.5625)
trained
// exact: 2.625
trained + trained
// exact: 5.25
// An unused value is written, and once.
let f x =
  let a = write (x + 1)
  let b = write (x + 1)
  x
f 1
// exact: 2
// exact: 2
// exact: 1
fst (write 1, write 2)
// exact: 1
// exact: 2
// exact: 1
length (build 3 (fun i -> write (i * i)))
// exact: 0
// exact: 1
// exact: 4
// exact: 3
(build 3 (fun i -> write (10 * i)))[1]
// exact: 0
// exact: 10
// exact: 20
// exact: 10
// A loop that makes the same in each turn, and one whose result nothing reads.
ifold (fun s i -> s + write 7) 0 2
// exact: 7
// exact: 7
// exact: 14
ifold (fun s i -> (let _ = write i in 5)) 0 2
// exact: 0
// exact: 1
// exact: 5
ifold (fun s i -> write s) 1 0
// exact: 1
// Of conditions only what is evaluated.
let positive x = write x > 0
positive 1 && positive (-1) && positive 2
// exact: 1
// exact: -1
// exact: #f
positive 1 || positive 3
// exact: 1
// exact: #t
if positive 2 then write 4 else write 5
// exact: 2
// exact: 4
// exact: 4
// As a function, and of functions that take it.
let twice g x = g (g x)
twice (fun x -> write (x * 3)) 1
// exact: 3
// exact: 9
// exact: 9
let same g x =
  let a = g x
  let b = g x
  let c = g x
  (a, a)
same write 4
// exact: 4
// exact: 4
// exact: 4
// exact: (4 . 4)
same (fun x -> x * x) 4
// exact: (16 . 16)
vectorMap [| 1; 2 |] write
// exact: 1
// exact: 2
// exact: #(1 2)
vectorSum (vectorMap (vectorMap [| 1; 2 |] (fun x -> write (x + 1))) (fun x -> write (x * 10)))
// exact: 2
// exact: 3
// exact: 20
// exact: 30
// exact: 50
// From left to right.
let g a b = a - b
g (write 1) (write 2)
// exact: 1
// exact: 2
// exact: -1
[| write 1; write 2 |]
// exact: 1
// exact: 2
// exact: #(1 2)
// Arrays, booleans and pairs of them.
snd (write ([| 1; 2 |], (true, [| [| 0.5 |] |])))
// exact: (#(1 2) #t . #(#(0.5)))
// exact: (#t . #(#(0.5)))
// A definition that writes when it is evaluated is evaluated once, at one type.
let n = write [| |]
// exact: #()
(length n, append n [| 1 |])
// exact: (0 . #(1))
let k = write (length [| 5; 6 |])
// exact: 2
(k / 4, (build k (fun i -> i)))
// exact: (0.5 . #(0 1))
let (p, q) = (write 1, write 2)
// exact: 1
// exact: 2
p + q + p
// exact: 4
// Parts without output are rewritten; what they cannot drop stays.
let total v =
  let _ = write (vectorDot v v)
  vectorSum (vectorMap v (fun a -> a * 2))
total [| 1; 2; 3 |]
// exact: 14
// exact: 12
