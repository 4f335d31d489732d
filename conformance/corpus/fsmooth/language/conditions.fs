// Comparisons, booleans and conditionals. Values by hand.

1 < 2
// exact: #t
2 <= 1
// exact: #f
2 >= 2
// exact: #t
1 = 1
// exact: #t
1 == 2
// exact: #f
1 <> 2
// exact: #t
1 + 1 > 1 && 2 * 2 = 4
// exact: #t
false || true && false
// exact: #f
!(1 > 2) || false
// exact: #t
!true
// exact: #f
if 1 < 2 then 10 else 20
// exact: 10
if 1 < 2 && 2 < 1 then 10 else if true then 20 else 30
// exact: 20
// The second condition is not evaluated, so its index does no harm.
let safe v i = i < length v && v[i] > 0.5
safe [| 1.0 |] 0
// exact: #t
safe [| 1.0 |] 7
// exact: #f
// A conditional within operators stands in parentheses; its branches reach as far as they can.
1 + (if false then 1 else 2 + 3)
// exact: 6
// NaN is equal to nothing, itself included.
let nan = 0.0 / 0.0
nan = nan
// exact: #f
nan <> nan
// exact: #t
