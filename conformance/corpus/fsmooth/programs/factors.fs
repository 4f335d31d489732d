// The gradient of the exponential likelihood of a factorisation, W'(1/P - A/P^2): by `mgrad`, by `deriv`, by `vjp`. The
// numbers are those of the closed form, computed apart from the project.

let elementwise a b f = matrixMap2 a b (fun r s -> vectorMap2 r s f)
let cost a p = vectorSum (vectorMap (elementwise a p (fun x y -> log y + x / y)) vectorSum)
let tangents m = matrixMap m (fun row -> vectorMap row (snd))

let a = [| [| 1.0; 2.0 |]; [| 3.0; 4.0 |] |]
let h = [| [| 1.0; 0.5 |]; [| 0.25; 1.0 |] |]

tangents (mgrad (fun h -> cost a (matrixMul a h)) h)
// exact: #(#(0.4097222222222222 0.2287603305785123) #(0.6944444444444444 0.35834710743801645))
tangents (deriv (cost a (matrixMul a h)) h)
// exact: #(#(0.4097222222222222 0.2287603305785123) #(0.6944444444444444 0.35834710743801645))
vjp (fun h -> cost a (matrixMul a h)) h 1.0
// exact: (7.35673768728003 . #(#(0.4097222222222222 0.22876033057851236) #(0.6944444444444444 0.35834710743801645)))
// By W: (1/P - A/P^2) H'.
let w = a
let p = matrixMul w h
let byW = tangents (deriv (cost a (matrixMul w h)) w)
let formula = matrixMul (elementwise a p (fun x y -> 1.0 / y - x / (y * y))) (matrixTranspose h)
vectorNorm (vectorMap (elementwise byW formula (-)) vectorNorm) < 1e-14
// exact: #t
// P = u v': 1/P - A/P^2 is (0 1/8; -1/4 1/16), so that by v it is (0 - 1/2, 1/8 + 1/8), and by u (4/8, -1/4 + 4/16).
let u = [| 1.0; 2.0 |]
let v = [| 1.0; 4.0 |]
vectorMap (deriv (cost a (vectorOutProd u v)) v) (snd)
// exact: #(-0.5 0.25)
vectorMap (deriv (cost a (vectorOutProd u v)) u) (snd)
// exact: #(0.5 0)
vjp (fun v -> cost a (vectorOutProd u v)) v 1.0
// exact: (7.658883083359672 . #(-0.5 0.25))
// A step along the negative gradient lowers the cost.
let step h = matrixMap2 h (tangents (mgrad (fun h -> cost a (matrixMul a h)) h)) (fun r g -> vectorMap2 r g (fun x d -> x - 0.1 * d))
cost a (matrixMul a (step h)) < cost a (matrixMul a h)
// exact: #t
