let f v = vectorDot v v
let g v w = vectorMap2 (grad f v) (grad f w) (+)
g [| 1.0; 2.0 |] [| 3.0; 4.0 |]
// error: type 2:46-2:49 argument 3 of `vectorMap2`: expected `Num * Num => Num * Num => 'a`, found `Num => Num => Num`
// hint: snd the tangent
// Two gradients are added, pair by pair.
