if 1 then 2 else 3
// error: type 1:4-1:5 the condition of `if`: expected `Bool`, found `Num`
// hint: e <> 0
// A number as a condition.
