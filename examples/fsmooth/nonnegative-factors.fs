// The gradient of a factorisation into matrices without negative elements.
//
// A matrix A is approximated by P = W H. The negative logarithm of the likelihood, if the elements of A are distributed
// exponentially around those of P, is the sum of log P + A / P. Its gradient by H, which each step of the descent needs,
// is W' (1/P - A/P^2), elementwise: derived by hand in the literature, and here by `mgrad`.
// Source: Shaikhha et al. (2018), section 5, after Liu, Yang, Fan, He and Wang (2010).
// Expected: the cost of an example; its gradient; the same by the formula; the cost of a product of two vectors, and
// its gradient by the second vector, (-1/2 1/4).
// Run: vlad examples/fsmooth/nonnegative-factors.fs

let a = [| [| 1.0; 2.0 |]; [| 3.0; 4.0 |] |]
let w = a
let h = [| [| 1.0; 0.5 |]; [| 0.25; 1.0 |] |]

// f of each pair of elements of two matrices
let elementwise a b f = matrixMap2 a b (fun r s -> vectorMap2 r s f)

let cost a p = vectorSum (vectorMap (elementwise a p (fun x y -> log y + x / y)) vectorSum)

let tangents v = vectorMap v (snd)

cost a (matrixMul w h)
// exact: 7.35673768728003
vectorMap (mgrad (fun h -> cost a (matrixMul w h)) h) tangents
// exact: #(#(0.4097222222222222 0.2287603305785123) #(0.6944444444444444 0.35834710743801645))
matrixMul (matrixTranspose w) (elementwise a (matrixMul w h) (fun x y -> 1.0 / y - x / (y * y)))
// exact: #(#(0.4097222222222222 0.22876033057851242) #(0.6944444444444444 0.35834710743801657))

let u = [| 1.0; 2.0 |]
let v = [| 1.0; 4.0 |]

cost a (vectorOutProd u v)
// exact: 7.658883083359672
tangents (grad (fun v -> cost a (vectorOutProd u v)) v)
// exact: #(-0.5 0.25)
