let f x = x *
// error: syntax 1:13-1:14 something is missing behind `*`
// An operator without its second operand.
