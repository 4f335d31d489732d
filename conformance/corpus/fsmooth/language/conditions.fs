// Comparisons, booleans and conditionals. Values by hand.

1 < 2
// expect: #t
2 <= 1
// expect: #f
2 >= 2
// expect: #t
1 = 1
// expect: #t
1 == 2
// expect: #f
1 <> 2
// expect: #t
1 + 1 > 1 && 2 * 2 = 4
// expect: #t
false || true && false
// expect: #f
!(1 > 2) || false
// expect: #t
!true
// expect: #f
if 1 < 2 then 10 else 20
// expect: 10
if 1 < 2 && 2 < 1 then 10 else if true then 20 else 30
// expect: 20
// The second condition is not evaluated, so its index does no harm.
let safe v i = i < length v && v[i] > 0.5
safe [| 1.0 |] 0
// expect: #t
safe [| 1.0 |] 7
// expect: #f
// A conditional within operators stands in parentheses; its branches reach as far as they can.
1 + (if false then 1 else 2 + 3)
// expect: 6
// NaN is equal to nothing, itself included.
let nan = 0.0 / 0.0
nan = nan
// expect: #f
nan <> nan
// expect: #t
