// What is differentiated through: functions of the program, local ones, parameters, results of functions.

let square x = x * x
let compose f g x = f (g x)
let x = 3.0

deriv (compose square sin x) x
// exact: (0.01991485667481699 . -0.27941549819892586)
let both = compose square square
deriv (both x) x
// exact: (81 . 108)
let power = fun n -> fun y -> ifold (fun s i -> s * y) 1.0 n
deriv (power 4 x) x
// exact: (81 . 108)

// A local function that uses another variable: it is a constant there.
let g y =
  let k = y * y
  let scaled = fun z -> k * z
  let slope = snd (diff scaled y)
  slope
g 3.0
// exact: 9
// The same seen from outside: d(y * y)/dy.
diff g 3.0
// exact: (9 . 6)

// d/dz (y z) is y, whose derivative by y is 1.
let h y =
  let product = fun z -> y * z
  snd (diff product y)
diff h 5.0
// exact: (5 . 1)
let twice y =
  let cube = fun z -> z * z * z
  snd (snd (diff (fun w -> snd (diff cube w)) y, diff (fun w -> snd (diff cube w)) y))
twice 2.0
// exact: 12

// Functions that are parameters: of a definition, of a local function, of another parameter.
let slope f x = snd (diff f x)
slope square 3.0
// exact: 6
slope (slope (fun x -> x ** 4.0)) 2.0
// exact: 48
let at f = f 3.0
at (slope square)
// exact: 6
let local x =
  let d = fun f -> fun y -> snd (diff f y)
  d (d square) x
local 3.0
// exact: 2
let apply k f = k f 3.0
apply slope square
// exact: 6
deriv (apply slope (fun y -> y * y * x)) x
// exact: (18 . 6)
let gradient f v = vectorMap (grad f v) (snd)
gradient (fun v -> slope (fun t -> t * v[0] * v[1]) v[1]) [| 2.0; 5.0 |]
// exact: #(5 2)

// By a global that the expression names, and that a function uses too: only the name in the expression varies.
let k = 2.0
let times y = k * y
deriv (k * times k) k
// exact: (8 . 8)
deriv (times 3.0) k
// exact: (6 . 0)
let weights = [| 1.0; 2.0 |]
let weighted v = vectorDot weights v
deriv (weighted [| 3.0; 4.0 |] + weights[0]) weights
// exact: #((12 . 1) (12 . 0))

// A function of numbers inside arrays, chosen by an index.
deriv ((build 2 (fun i -> x ** (i + 1)))[1]) x
// exact: (9 . 6)
