let f x = x +
f 1
// error: syntax 1:13-1:14 something is missing behind `+`
// Uses of a definition that cannot be read are not reported as well.
