// Reverse mode, forward mode and checkpoints: operators of the language. Gradients by hand.

let dot v w = ifold (fun s i -> s + v[i] * w[i]) 0 (length v)
let square v = dot v v
// d (v . v) = 2 v.
vjp square [| 1; 2; 3 |] 1
// exact: (14 . #(2 4 6))
vgradReverse square [| 1; 2; 3 |]
// exact: #(2 4 6)
vgradCheckpoint square [| 1; 2; 3 |]
// exact: #(2 4 6)
vjpCheckpoint square [| 1; 2; 3 |] 0.5
// exact: (14 . #(1 2 3))
jvp square [| 1; 2; 3 |] [| 1; 0; 0 |]
// exact: (14 . 2)
// d (x y) = y dx + x dy, in a pair.
vjp (fun p -> fst p * snd p) (3, 4) 1
// exact: (12 4 . 3)
// A function of the language, at a whole number.
jvp sqrt 4 1
// exact: (2 . 0.25)
vjp (fun x -> [| x; x * x |]) 3 [| 1; 1 |]
// exact: (#(3 9) . 7)
