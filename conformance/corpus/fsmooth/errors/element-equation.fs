let v = [| 1; 2 |]
v[0] = 2.0
(v[0] = 1) || v[1] = 1
v[1] == 2
// error: syntax 2:6-2:7 no element is given a value by `=`
// hint: v[i] == e
// An equation that looks like an assignment; comparisons are no errors.
