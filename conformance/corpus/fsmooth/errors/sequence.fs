let f x = write x; x + 1
let g x = (write x; x)
// error: syntax 1:18-1:19 `;` cannot stand here
// hint: let x = write e in e
// error: syntax 2:19-2:20 `;` cannot stand here
// hint: let x = write e in e
// One expression after another.
