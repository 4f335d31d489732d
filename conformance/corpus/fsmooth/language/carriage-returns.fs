// a commentlet f x =  let y = x + 1
  y * yf 2 // another
// exact: 9
