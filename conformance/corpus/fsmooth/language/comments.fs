// Comments and names.
(* A comment (* with another one *) and
   a line
let not_code = 1
*)
let x' = 1 // the rest of the line
let x_2 = (* within a line *) 2
let été = 3
x' + x_2 + été
// exact: 6
let in' = 4
in'
// exact: 4
