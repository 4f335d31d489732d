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
// exact: 3.4076059644443806
gradient [| 1.0; 2.0; 3.0 |]
// exact: #(0.09003057317038045 0.2447284710547976 0.665240955774822)

logSumExp [| 1000.0; 1001.0; 1002.0 |]
// exact: 1002.4076059644444
gradient [| 1000.0; 1001.0; 1002.0 |]
// exact: #(0.09003057317038045 0.2447284710547976 0.665240955774822)
