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
// error: limit 13:11-13:17 this type has more than 4096 parts
// A type that doubles with each line.
