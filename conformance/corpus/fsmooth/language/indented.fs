  // A program may be indented as a whole: its items begin in the column of the first one.
  let a = 1
  let f x =
    let y = x * x
    y + a
  f 2
// exact: 5
