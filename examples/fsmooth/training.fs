// A line fitted to noisy points by stochastic gradient descent, with its loss written along the way.
//
// Random numbers are pure: each draw takes a state and makes the next one. `write` prints a value where it is evaluated and is that value.
// A step takes a batch of four points in random order; five of them go through all twenty points.
// Expected: the mean of the squared errors before each of four epochs, then slope and intercept, computed with 50 digits in Python.
// Run: vlad examples/fsmooth/training.fs

let points = 20
let batch = 4

// Points on 2 x + 1, with noise of deviation 0.1.
let (noise, afterNoise) = randomNormals points (randomState 2024)
let xs = build points (fun i -> i / 10 - 1)
let ys = build points (fun i -> 2 * xs[i] + 1 + 0.1 * noise[i])

// The mean of the squared errors of the line with slope w[0] and intercept w[1] at the points with some indices.
let loss w indices =
  let squared i = (w[0] * xs[i] + w[1] - ys[i]) ** 2
  vectorSum (vectorMap indices squared) / length indices

let slope w indices = vectorMap (grad (fun w -> loss w indices) w) (snd)

let epoch (w, state) =
  let _ = write (loss w (vectorRange points))
  let (order, state) = randomShuffle (vectorRange points) state
  let step w k =
    let indices = build batch (fun i -> order[batch * k + i])
    vectorAdd w (vectorSMul (slope w indices) (-0.1))
  (ifold step w (quotient points batch), state)

fst (ifold (fun (w, state) _ -> epoch (w, state)) ([| 0; 0 |], afterNoise) 4)
// expect: 2.152966869694121
// expect: 0.7804795997672646
// expect: 0.3517891403695923
// expect: 0.1750641461226215
// expect: #(1.476933092240222 0.9740125224482169)
