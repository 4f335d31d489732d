// Builds that are executed for several elements at once, and again one by one where some element is infinite or no number.

let infinity = 1 / 0
let join m p q = build (5 : Index) (fun k -> if k < m then p[k] else q[k - m])
join 2 [| 1; 2 |] [| 3; 4; 5 |]
// exact: #(1 2 3 4 5)
join 0 [||] [| 1; 2; 3; 4; 5 |]
// exact: #(1 2 3 4 5)
join 7 [| 1; 2; 3; 4; 5 |] [||]
// exact: #(1 2 3 4 5)
join 3 [| 1; 2; 3; 9 |] [| infinity; 0 - infinity; 7 |]
// exact: #(1 2 3 +inf.0 -inf.0)
let behind v (n : Index) = build n (fun k -> v[2 + k] * v[0] + v[1])
behind [| 2; 1; 3; 4; 5 |] 3
// exact: #(7 9 11)
behind [||] 0
// exact: #()
behind [| 2; infinity; 3; 0 - infinity; 5 |] 3
// exact: #(+inf.0 +nan.0 +inf.0)

// The tangents of points that turn, as the products of regions: 0 times an infinity is 0 where the tangent is 0.
let turned c (v : Vector) = build (length v) (fun k -> c[0] * v[k] * c[1] + c[2] * (v[k] * c[3] * c[4] + c[5] * v[k]) * v[k])
let tangents v = vectorMap v snd
let slopes c v = vectorMap (deriv (turned c v) c) tangents
slopes [| 1; 2; 3; 4; 5; 6 |] [| 1; 2; 3 |]
// exact: #(#(2 4 6) #(1 2 3) #(26 104 234) #(15 60 135) #(12 48 108) #(3 12 27))
slopes [| 1; 2; 3; 4; 5; 6 |] [| 1; infinity; 3 |]
// exact: #(#(2 +inf.0 6) #(1 +inf.0 3) #(26 +inf.0 234) #(15 +inf.0 135) #(12 +inf.0 108) #(3 +inf.0 27))
slopes [| 0; infinity; 3; 4; 5; 0 |] [| 1; 0; infinity; 2 |]
// exact: #(#(+inf.0 0 +inf.0 +inf.0) #(0 0 +nan.0 0) #(20 0 +nan.0 80) #(15 0 +inf.0 60) #(12 0 +inf.0 48) #(3 0 +inf.0 12))
slopes [| 0; 0 / 0; 3; 4; 5; 0 |] [| 1; 0 |]
// exact: #(#(+nan.0 0) #(0 0) #(20 0) #(15 0) #(12 0) #(3 0))
slopes [| 1; 2; 3; 4; 5; 6 |] [||]
// exact: #(#() #() #() #() #() #())
