let f v = build 3 (fun i -> if i < (if v[0] > 0 then 2 * i else i + 1) then v[i] + (build (i + 1) (fun j -> v[j]))[i] else 0)
let g v = build 3 (fun i -> build 3 (fun j -> if i < j && j < i + 2 then v[i] * (build j (fun k -> v[k]))[i] else 1))
f [| 1; 2; 3 |]
f [| -1; 2; 3 |]
g [| 1; 2; 3 |]
// exact: #(0 4 6)
// exact: #(-2 4 6)
// exact: #(#(1 1 1) #(1 1 4) #(1 1 1))
// The condition of a branch bounds an index by itself, and two indices by each other.
