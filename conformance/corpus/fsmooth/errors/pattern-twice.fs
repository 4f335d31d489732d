let f (a, a) = a
fun a (b, (c, a)) -> b
let g x =
  let (y, y) = x
  y
let (z, z) = (1, 2)
// error: duplicate 1:11-1:12 the parameter `a` is named twice
// error: duplicate 2:15-2:16 the parameter `a` is named twice
// error: duplicate 4:11-4:12 the variable `y` is named twice
// error: duplicate 6:9-6:10 `z` is defined twice
// Names that patterns bind twice.
