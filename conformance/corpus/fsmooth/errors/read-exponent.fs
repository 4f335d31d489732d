1 + 2e
// error: read 1:5-1:7 `2e` is no number
// An exponent without digits.
