// The two kinds of numbers: whole numbers, loop indices and lengths are indices, and widen to Double where one is expected.

// An index used as both.
build 3 (fun i -> [| 10.5; 20.5; 30.5 |][i] + i)
// exact: #(10.5 21.5 32.5)
// The size of an array from arithmetic on sizes.
let slice v s e = build (e - s + 1) (fun i -> v[i + s])
slice [| 1.5; 2.5; 3.5; 4.5 |] 1 2
// exact: #(2.5 3.5)
// One definition at both kinds.
let square x = x * x
build (square 2) (fun i -> square 1.5)
// exact: #(2.25 2.25 2.25 2.25)
// An array of indices where one of Doubles is expected, and beside one.
let add v w = build (length v) (fun i -> v[i] + w[i])
add (build 3 (fun i -> i)) [| 0.5; 0.5; 0.5 |]
// exact: #(0.5 1.5 2.5)
let half v = build (length v) (fun i -> v[i] / 2)
half (build 3 (fun i -> i))
// exact: #(0 0.5 1)
// Elements of an array of indices are indices.
let order = [| 2; 0; 1 |]
build 3 (fun i -> [| 10; 20; 30 |][order[i]])
// exact: #(30 10 20)
// The index of the largest element.
let largest v = ifold (fun s i -> if v[i] > v[s] then i else s) 0 (length v)
let w = [| 1.5; 9.5; 3.5 |]
w[largest w]
// exact: 9.5
// abs, min, max and modulo keep the kind.
[| 1; 2; 3 |][modulo (max 4 5) (abs (-3))]
// exact: 3
// Functions widen in their results, and take narrower arguments.
let apply f = f 2
apply sqrt * apply (fun i -> [| 1; 2; 3 |][i])
// exact: 4.242640687119286
// The whole part of a quotient is an Index, rounded down: 7 / 2, -7 / 2 and 6 / 3 by hand; the middle of five elements.
build 1 (fun i -> (quotient 7 2, (quotient (-7) 2, quotient 6 (i + 3))))
// exact: #((3 -4 . 2))
let middle v = v[quotient (length v) 2]
middle [| 1; 2; 30; 4; 5 |]
// exact: 30
let halve = quotient 9
build (halve 2) (fun i -> quotient (i * i) 2)
// exact: #(0 0 2 4)
// It does not vary: the derivative of x v[1] is v[1].
snd (diff (fun x -> x * [| 2; 5; 9 |][quotient 3 2]) 4)
// exact: 5
(length [| 1; 2 |] : Double) / 4
// exact: 0.5
