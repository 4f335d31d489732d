let f v = vectorDot v v
let step v = vectorAdd v (vectorSMul (grad f v) 0.1)
step [| 1.0; 2.0 |]
// error: type 2:38-2:48 argument 1 of `vectorSMul`: expected `Array<Num>`, found `Array<Num * Num>`
// hint: vectorMap v (snd)
// A gradient has the values beside the derivatives.
