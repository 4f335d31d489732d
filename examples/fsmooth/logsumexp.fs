// The logarithm of a sum of exponentials, and its gradient, which is the softmax.
//
// Taking the largest element out of the sum keeps the exponentials from overflowing. It changes neither the value nor the
// derivative, since the two tangents of the largest element cancel.
// Source: Shaikhha et al. (2018), section 5.
// Expected: the value at (1 2 3) with the softmax; the same value plus 999 at (1000 1001 1002), with the same gradient.
// Run: vlad examples/fsmooth/logsumexp.fs

let logSumExp v =
  let largest = vectorMax v
  largest + log (vectorSum (vectorMap v (fun x -> exp (x - largest))))

let gradient v = vectorMap (grad logSumExp v) (snd)

logSumExp [| 1.0; 2.0; 3.0 |]
// expect: 3.40760596444438030
gradient [| 1.0; 2.0; 3.0 |]
// expect: #(0.0900305731703804580 0.244728471054797652 0.665240955774821889)

logSumExp [| 1000.0; 1001.0; 1002.0 |]
// expect: 1002.40760596444438
gradient [| 1000.0; 1001.0; 1002.0 |]
// expect: #(0.0900305731703804580 0.244728471054797652 0.665240955774821889)
