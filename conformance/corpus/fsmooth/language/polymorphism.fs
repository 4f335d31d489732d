// Definitions are polymorphic, and have an instance for each type at which they are used. Values by hand.

let identity x = x
identity 1 + (if identity true then identity 2 else 3)
// exact: 3
identity identity 7
// exact: 7
let map v f = build (length v) (fun i -> f v[i])
map [| 1; 2 |] (fun x -> x + 0.5)
// exact: #(1.5 2.5)
map [| true; false |] (!)
// exact: #(#f #t)
map (map [| 1; 2 |] (fun x -> (x, x * x))) snd
// exact: #(1 4)
map [| [| 1; 2 |]; [| |] |] length
// exact: #(2 0)
let zip v w = build (length v) (fun i -> (v[i], w[i]))
zip (zip [| 1 |] [| true |]) [| [| 2 |] |]
// exact: #(((1 . #t) . #(2)))
// A polymorphic value.
let nothing = [| |]
length nothing + length (map nothing (fun p -> fst p + 1))
// exact: 0
// Inner functions are monomorphic, but of the type that they are used at.
let local x =
  let f = fun y -> y
  f x
(local 1, local true)
// exact: (1 . #t)
// A function that takes polymorphic functions.
let both f g x = (f x, g x)
both fst snd (3, true)
// exact: (3 . #t)
