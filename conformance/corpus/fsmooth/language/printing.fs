// Values are printed as those of core.

let f x = x
let g x y = x + y
f
// exact: #<procedure f>
g
// exact: #<procedure g>
g 1
// exact: #<procedure>
sin
// exact: #<procedure>
(1, (2, 3))
// exact: (1 2 . 3)
1.0 / 0.0
// exact: +inf.0
-(1.0 / 0.0)
// exact: -inf.0
0.0 / 0.0
// exact: +nan.0
0.1 + 0.2
// exact: 0.30000000000000004
-0.0
// exact: -0
