// Values are printed as those of core.

let f x = x
let g x y = x + y
f
// expect: #<procedure f>
g
// expect: #<procedure g>
g 1
// expect: #<procedure>
sin
// expect: #<procedure>
(1, (2, 3))
// expect: (1 2 . 3)
1.0 / 0.0
// expect: +inf.0
-(1.0 / 0.0)
// expect: -inf.0
0.0 / 0.0
// expect: +nan.0
0.1 + 0.2
// exact: 0.30000000000000004
-0.0
// exact: -0
