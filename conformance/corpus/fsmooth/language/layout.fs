// Where a `let` ends. Values by hand.

let f x =
  let y = x + 1
  let z = y * y
  z - x
f 2
// exact: 7

// The value of a `let` on further lines.
let g x =
  let y =
    let z = x * x
    z + 1
  y + y
g 3
// exact: 20

// With `in`, lines matter as little as elsewhere.
let h x = let a = x in let b = a
  in a + b
h 4
// exact: 8
let k = 5 in k * k
// exact: 25

// A `let` that begins within a line.
let m = (let a = 1
         let b = 2
         a + b)
m
// exact: 3

// Brackets on lines of their own, and operators at the beginning of a line.
let n v =
  build (length v) (fun i ->
    let x = v[i]
    x
      + x
  )
n [| 1; 2 |]
// exact: #(2 4)
let rows = build 2 (fun i ->
  build 2 (fun j ->
    if i = j then 1 else 0
) )
rows
// exact: #(#(1 0) #(0 1))

// `else` on a line of its own.
let s x =
  if x > 0 then
    let y = x * 2
    y
  else
    0 - x
s 3 + s (-4)
// exact: 10

// A shadowed name: the value of a `let` sees the outer one.
let t x =
  let x = x + 1
  let x = x * 10
  x
t 1
// exact: 20
