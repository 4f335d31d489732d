let at v i = v[i]
at [| 1; 2 |] 2
// error: type 1:14-1:18 `v[i]` expects a whole number below 2
