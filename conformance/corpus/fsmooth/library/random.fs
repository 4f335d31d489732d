// Random numbers: MRG32k3a, as in the library `random` of VLAD. Numbers and states computed with whole numbers in Python, normally distributed
// ones with 60 digits; the states after 1000 and 2^127 numbers are those of the corpus of that library.

randomState 7
// exact: #(576766463 3976174588 3879879585 1848303937 2645803047 2842070627)
randomState 0
// exact: #(1071587646 1067828536 2802898607 1057549125 1855793382 2172519801)
randomState 9007199254740992
// exact: #(3909710562 1339265388 3979304938 1920435505 1560783450 1089473253)
let s = vectorFill 6 12345
randomReals 3 s
// exact: (#(0.12701112204657714 0.3185275653967945 0.3091860155832701) . #(3023790853 3023790853 3385359573 2478282264 1655725443 2057415812))
randomSkip s 1000
// exact: #(4239718941 899640195 1411745448 2768972929 343921931 1471537888)
randomSkip s 0
// exact: #(12345 12345 12345 12345 12345 12345)
randomSkipPower s 3
// exact: #(2462079208 2386811717 2989318136 171163572 321902337 1462200156)
randomJump s
// exact: #(3692455944 1366884236 2968912127 335948734 4161675175 475798818)
let t = randomState 7
fst (randomVector (randomInteger 6) 20 t)
// exact: #(5 0 1 3 0 2 2 0 5 3 1 5 5 5 3 1 2 0 5 3)
fst (randomInteger 4294967296 t)
// exact: 4130174027
fst (randomInteger 1 t)
// exact: 0
// Whole numbers are indices.
let words = [| 10; 20; 30; 40; 50; 60 |]
words[fst (randomInteger 6 t)]
// exact: 60
let (many, after) = randomReals 300 t
(length many, many[299])
// exact: (300 . 0.12494211294407946)
after
// exact: #(1952978029 3556526916 1534961340 1360081991 1285616479 998339077)
fst (randomNormals 4 t)
// expect: #(0.2796083536377637 -1.229221279877583 -2.007024051730277 1.0285213439865166)
fst (randomExponential 2 t)
// expect: 0.019562198796924044
fst (randomEvent 0.3 t)
// exact: #f
fst (randomEvent 1 t)
// exact: #t
randomShuffle [| 1; 2; 3; 4; 5 |] t
// exact: (#(3 2 4 1 5) . #(3834996350 1080810215 317520569 3814847849 223084159 1906917889))
fst (randomShuffle [| true |] t)
// exact: #(#t)
fst (randomVector randomReal 0 t)
// exact: #()
// Noise does not vary: the gradient of the sum of noise times v is the noise.
let noisy v =
  let (noise, _) = randomReals (length v) t
  vectorDot noise v
let difference v w = vectorSum (vectorMap2 v w (fun a b -> abs (a - b)))
difference (vectorMap (grad noisy [| 1; 2; 3 |]) (snd)) (fst (randomReals 3 t))
// exact: 0
// The derivative of a draw by a parameter of its distribution: -log(u) / rate has the derivative -x / rate.
let (x, slope) = diff (fun rate -> fst (randomExponential rate t)) 2
slope == -x / 2
// exact: #t
