true & false
// error: read 1:6-1:7 no token begins with `&`
// hint: &&
// One ampersand.
