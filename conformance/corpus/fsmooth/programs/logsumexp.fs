// The logarithm of a sum of exponentials: its gradient is the softmax s, its Hessian diag(s) - s s'. The numbers are those
// of these closed forms, computed with 50 digits by mpmath.

let plain v = log (vectorSum (vectorMap v exp))
let shifted v =
  let largest = vectorMax v
  largest + log (vectorSum (vectorMap v (fun x -> exp (x - largest))))
let softmax f v = vectorMap (grad f v) (snd)

let v = [| 1.0; 2.0; 3.0 |]
plain v
// exact: 3.40760596444438
shifted v
// exact: 3.4076059644443806
softmax plain v
// exact: #(0.09003057317038046 0.2447284710547977 0.665240955774822)
softmax shifted v
// exact: #(0.09003057317038045 0.2447284710547976 0.665240955774822)
vjp shifted v 1.0
// exact: (3.4076059644443806 . #(0.09003057317038045 0.2447284710547976 0.6652409557748219))
hessian plain v
// exact: #(#(0.08192506906499324 -0.022033044520174305 -0.059892024544818956) #(-0.022033044520174305 0.18483644650997874 -0.1628034019898045) #(-0.059892024544818956 -0.1628034019898045 0.22269542653462332))
hessian shifted v
// exact: #(#(0.08192506906499322 -0.022033044520174294 -0.05989202454481893) #(-0.022033044520174294 0.18483644650997869 -0.16280340198980442) #(-0.05989202454481893 -0.1628034019898044 0.22269542653462332))

// The largest element twice.
let tie = [| 0.5; -1.0; 0.5 |]
shifted tie
// exact: 1.2989161848417257
softmax shifted tie
// exact: #(0.4498162176582742 0.10036756468345166 0.4498162176582741)

// Where exponentials would overflow: 999 more, and the same gradient.
let large = vectorMap v (fun x -> x + 999.0)
shifted large
// exact: 1002.4076059644444
softmax shifted large
// exact: #(0.09003057317038045 0.2447284710547976 0.665240955774822)
