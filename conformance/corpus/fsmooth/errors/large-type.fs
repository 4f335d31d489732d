let f x =
  let x = (x, x)
  let x = (x, x)
  let x = (x, x)
  let x = (x, x)
  let x = (x, x)
  let x = (x, x)
  let x = (x, x)
  let x = (x, x)
  let x = (x, x)
  let x = (x, x)
  let x = (x, x)
  let x = (x, x)
  let x = (x, x)
  let x = (x, x)
  x
f 1
// error: limit 1:5-1:6 this type has more than 4096 parts
// A type that doubles with each line.
