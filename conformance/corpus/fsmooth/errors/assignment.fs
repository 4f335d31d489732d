let v = [| 1; 2 |]
v[0] <- 2.0
let x = 1
x := 2
x += 1
x -= 1
// error: read 2:6-2:8 `<-` is no operator
// hint: build (length v) (fun j -> if j == i then e else v[j])
// error: read 4:3-4:5 `:=` is no operator
// hint: nothing changes
// error: read 5:3-5:5 `+=` is no operator
// hint: nothing changes
// error: read 6:3-6:5 `-=` is no operator
// hint: nothing changes
// Assignments.
