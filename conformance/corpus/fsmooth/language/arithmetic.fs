// Operators and their precedence. Values by hand.

1 + 2 * 3
// exact: 7
(1 + 2) * 3
// exact: 9
7 - 2 - 1
// exact: 4
8 / 4 / 2
// exact: 1
// A sign binds less than a power, and more than a product.
-2 ** 2
// exact: -4
2 ** -1
// exact: 0.5
2 ** 3 ** 2
// exact: 512
3 × 4 - -5
// exact: 17
- 3 + 5
// exact: 2
// Application binds more than operators.
abs (-3) + 1
// exact: 4
sqrt 16 / 2
// exact: 2
max 2 5 * min 2 5
// exact: 10
modulo 7 3
// exact: 1
modulo (-7) 3
// exact: 2
floor 2.7 + ceiling 2.2 + round 2.5 + truncate (-2.7)
// exact: 5
// ln 1 and sin 0 are 0; atan 1 is a quarter of pi.
log 1 + sin 0 + cos 0 + exp 0
// exact: 2
4 * atan 1 - 2 * asin 1
// exact: 0
atan2 1 (-1) - 3 * atan 1
// exact: 0
tan 0 + sinh 0 + cosh 0 + tanh 0 + acos 1
// exact: 1
1e3 + .5 + 2. + 1.5e-1
// exact: 1002.65
