let f x x = x
// error: duplicate 1:9-1:10 the parameter `x` is named twice
// A parameter that is named twice.
