// The operators against `jvp` and `vjp`, and each of them inside of the others.

let f v = v[0] * v[0] * v[1]
let p = [| 3.0; 4.0 |]
jvp f p [| 1.0; 0.0 |]
// exact: (36 . 24)
vjp f p 1.0
// exact: (36 . #(24 9))
vjpCheckpoint f p 1.0
// exact: (36 . #(24 9))
// Forward over reverse: the Hessian (8 6; 6 0) times (1 0).
jvp (fun v -> snd (vjp f v 1.0)) p [| 1.0; 0.0 |]
// exact: (#(24 9) . #(8 6))
jacob (fun v -> snd (vjp f v 1.0)) p
// exact: #(#((24 . 8) (9 . 6)) #((24 . 6) (9 . 0)))
// Reverse over forward: the gradient of the first partial derivative, 2 v0 v1.
vjp (fun v -> snd (grad f v)[0]) p 1.0
// exact: (24 . #(8 6))
vjp (fun v -> snd (jvp f v [| 1.0; 0.0 |])) p 1.0
// exact: (24 . #(8 6))
// A product of derivatives that is zero has a derivative itself: d/dx of 2 x at 0.
vjp (fun x -> snd (diff (fun y -> y * y) x)) 0.0 1.0
// exact: (0 . 2)
jvp (fun x -> snd (diff (fun y -> y * y * y) x)) 0.0 1.0
// exact: (0 . 0)
jvp (fun x -> snd (diff (fun y -> x * y) 5.0)) 0.0 1.0
// exact: (0 . 1)
// The tangent of x y is x, which is 0 and has the derivative 1; it is multiplied by the infinite coefficient of the root.
vjp (fun x -> snd (diff (fun y -> sqrt (x * y)) 0.0)) 0.0 1.0
// exact: (0 . +inf.0)
vjp (fun x -> snd (jvp (fun y -> sqrt (x * y)) 0.0 1.0)) 0.0 1.0
// exact: (0 . +inf.0)
diff (fun x -> snd (diff (fun y -> sqrt (x * y)) 0.0)) 0.0
// exact: (0 . +inf.0)
// Second derivatives by every order of modes: of x^3 at 2 they are 12.
let cube x = x * x * x
snd (diff (fun x -> snd (diff cube x)) 2.0)
// exact: 12
snd (diff (fun x -> snd (vjp cube x 1.0)) 2.0)
// exact: 12
snd (vjp (fun x -> snd (diff cube x)) 2.0 1.0)
// exact: 12
snd (vjp (fun x -> snd (vjp cube x 1.0)) 2.0 1.0)
// exact: 12
snd (jvp (fun x -> snd (diff cube x)) 2.0 1.0)
// exact: 12
snd (diff (fun x -> snd (jvp cube x 1.0)) 2.0)
// exact: 12
hessian (fun v -> fst (vjp cube v[0] 1.0)) [| 2.0 |]
// exact: #(#(12))
