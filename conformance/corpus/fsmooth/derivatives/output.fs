// Operators of differentiation call a function that writes, and it writes values without tangents: `jvp` and `vjp` once, the others once
// for each number by which they differentiate. Values by hand.

let square x = write (x * x)
jvp square 3 1
// exact: 9
// exact: (9 . 6)
vjp square 3 1
// exact: 9
// exact: (9 . 6)
diff square 3
// exact: 9
// exact: (9 . 6)
let norm v = write (vectorSum (vectorMap v (fun a -> a * a)))
grad norm [| 1; 2 |]
// exact: 5
// exact: 5
// exact: #((5 . 2) (5 . 4))
vgradReverse norm [| 1; 2 |]
// exact: 5
// exact: #(2 4)
jacob (fun v -> vectorMap v square) [| 2; 3 |]
// exact: 4
// exact: 9
// exact: 4
// exact: 9
// exact: #(#((4 . 4) (9 . 0)) #((4 . 0) (9 . 6)))
let by x y =
  let z = write (x + y)
  deriv (z * x + write x) x
by 2 1
// exact: 3
// exact: 2
// exact: (8 . 4)
// Earlier output is not repeated.
let scaled = (let u = write 2 in fun x -> u * x * x)
// exact: 2
diff scaled 3
// exact: (18 . 12)
let point = write [| 1; 3 |]
// exact: #(1 3)
grad (fun v -> v[0] * point[1] + v[1]) point
// exact: #((6 . 3) (6 . 1))
// A function of an index that writes.
let at i = write (i + 1)
grad (fun v -> v[at 0]) [| 4; 5 |]
// exact: 1
// exact: 1
// exact: #((5 . 0) (5 . 1))
// A gradient by many numbers of a function that does not write is rewritten as everywhere, beside what writes.
let product v = ifold (fun p i -> p * v[i]) 1 (length v)
let slope v =
  let _ = write (length v)
  (vectorMap (grad product v) (snd))[0]
slope (build 40 (fun i -> i + 1 - i))
// exact: 40
// exact: 1
// Through functions that differentiate their parameters, and second derivatives.
let steepness f x = snd (diff f x)
steepness (steepness (fun x -> write (x * x * x))) 2
// exact: 8
// exact: 12
hessian (fun v -> write (v[0] * v[1])) [| 3; 4 |]
// exact: 12
// exact: 12
// exact: 12
// exact: 12
// exact: #(#(0 1) #(1 0))
// A function that is made once, and what its making writes.
let line x = (let u = write (x + 1) in fun y -> u * y)
let line3 = line 3
// exact: 4
line3 2 + line3 5
// exact: 28
diff (line 1) 4
// exact: 2
// exact: (8 . 2)
