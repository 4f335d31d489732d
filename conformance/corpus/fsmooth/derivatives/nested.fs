// Operators inside of operators. Tangents of one level are not taken for those of another.

let x = 1.0
let y = 4.0
// d/dx (x d(x+y)/dy) = d/dx x = 1.
deriv (x * snd (deriv (x + y) y)) x
// exact: (1 . 1)
// d/dx (x d(x y)/dy) = d/dx x^2 = 2 x.
deriv (x * snd (deriv (x * y) y)) x
// exact: (1 . 2)
let d f = fun x -> snd (diff f x)
d (d (d (d (fun x -> x ** 4.0)))) 3.0
// exact: 24
d (fun x -> x * d (fun y -> x + y) 3.0) 7.0
// exact: 1
d (fun x -> x * d (fun y -> x * y) 3.0) 7.0
// exact: 14
// Hessian by jacob of the gradient: of v0^2 v1, (2 v1, 2 v0; 2 v0, 0).
let f v = v[0] * v[0] * v[1]
let gradient v = vectorMap (grad f v) (snd)
matrixMap (jacob gradient [| 3.0; 4.0 |]) (fun row -> vectorMap row (snd))
// exact: #(#(8 6) #(6 0))
hessian f [| 3.0; 4.0 |]
// exact: #(#(8 6) #(6 0))
// Third derivatives: the Hessian as a function of its point. d/dv1 of 2 v1 is 2, of 2 v0 is 0.
let t = 4.0
deriv (hessian f [| 3.0; t |]) t
// exact: #(#((8 . 2) (6 . 0)) #((6 . 0) (0 . 0)))
// The derivative of a derivative's value: both parts of the inner pair vary.
deriv (deriv (x * x * y) y) x
// exact: ((4 . 8) 1 . 2)
// Six levels: d^6/dx^6 sin x = -sin x, at 0.5.
d (d (d (d (d (d sin))))) 0.5
// exact: -0.479425538604203
// The derivative of the steps of Newton's method for sqrt a: 1/(2 sqrt a) at a = 2.
let root a = ifold (fun x i -> let both = diff (fun x -> x * x - a) x in x - fst both / snd both) 1.0 7
diff root 2.0
// exact: (1.4142135623730951 . 0.35355339059327373)
