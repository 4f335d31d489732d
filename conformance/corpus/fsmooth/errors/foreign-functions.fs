fun x => x
let f = lambda x: x
let g x -> x
let h () = 1
fun x, y -> x
let a, b = (1, 2)
if true then 1 elif false then 2 else 3
[| 1; 2; 3 |][0:1]
// error: syntax 1:7-1:9 `=>` cannot stand here
// hint: fun x y -> e
// error: syntax 2:17-2:18 `:` cannot stand here
// hint: fun x -> e
// error: syntax 3:9-3:11 `->` cannot stand here
// hint: let f x y = e
// error: syntax 4:8-4:9 `)` cannot stand here
// hint: let x = e
// error: syntax 5:6-5:7 `,` cannot stand here
// hint: (a, b)
// error: syntax 6:6-6:7 `,` cannot stand here
// hint: (a, b)
// error: syntax 7:27-7:31 `then` cannot stand here
// hint: else if
// error: syntax 8:16-8:17 `:` cannot stand here
// hint: vectorSlice
// Forms of other languages.
