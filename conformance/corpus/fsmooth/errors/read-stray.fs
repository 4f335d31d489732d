let f x = x % 2
// error: read 1:13-1:14 no token begins with `%`
// hint: modulo a b
// Characters that begin no token.
