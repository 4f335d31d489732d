let f = ( * )
let g = 1 (* x)
// error: read 2:11-2:13 never closed
// hint: ( * )
// A comment that is not closed. The product as a function has blanks.
