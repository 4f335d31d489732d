let x = a.b
// error: read 1:10-1:11 no token begins with `.`
// hint: an element is written v[i]
