// The logarithm of a sum of exponentials: its gradient is the softmax s, its Hessian diag(s) - s s'. The numbers are those
// of these closed forms, computed with 50 digits by mpmath.

let plain v = log (vectorSum (vectorMap v exp))
let shifted v =
  let largest = vectorMax v
  largest + log (vectorSum (vectorMap v (fun x -> exp (x - largest))))
let softmax f v = vectorMap (grad f v) (snd)

let v = [| 1.0; 2.0; 3.0 |]
plain v
// expect: 3.40760596444438030
shifted v
// expect: 3.40760596444438030
softmax plain v
// expect: #(0.090030573170380458 0.244728471054797652 0.66524095577482189)
softmax shifted v
// expect: #(0.090030573170380458 0.244728471054797652 0.66524095577482189)
vjp shifted v 1.0
// expect: (3.40760596444438030 . #(0.090030573170380458 0.244728471054797652 0.66524095577482189))
hessian plain v
// expect: #(#(0.0819250690649932284 -0.022033044520174296 -0.0598920245448189324) #(-0.022033044520174296 0.184836446509978721 -0.162803401989804424) #(-0.0598920245448189324 -0.162803401989804424 0.222695426534623356))
hessian shifted v
// expect: #(#(0.0819250690649932284 -0.022033044520174296 -0.0598920245448189324) #(-0.022033044520174296 0.184836446509978721 -0.162803401989804424) #(-0.0598920245448189324 -0.162803401989804424 0.222695426534623356))

// The largest element twice.
let tie = [| 0.5; -1.0; 0.5 |]
shifted tie
// expect: 1.29891618484172565
softmax shifted tie
// expect: #(0.449816217658274159 0.100367564683451683 0.449816217658274159)

// Where exponentials would overflow: 999 more, and the same gradient.
let large = vectorMap v (fun x -> x + 999.0)
shifted large
// expect: 1002.40760596444438
softmax shifted large
// expect: #(0.090030573170380458 0.244728471054797652 0.66524095577482189)
