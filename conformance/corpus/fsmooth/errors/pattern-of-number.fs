let f n =
  let (a, b) = length n
  a + b
let (x, (y, z)) = ([| 1 |], 2)
y
let swap (a, b) = (b, a)
swap 3
swap 1 2
ifold (fun (s, t) i -> s + t) (0, 1) 3
let typed ((a, b) : Double) = a
// error: type 2:7-2:13 the pattern of a pair: expected `'a * 'b`, found `Num`
// error: type 4:9-4:15 the pattern of a pair: expected `'a * 'b`, found `Num`
// error: type 7:6-7:7 argument 1 of `swap`: expected `'a * 'b`, found `Num`
// hint: a pair: f (a, b)
// error: type 8:6-8:7 argument 1 of `swap`: expected `'a * 'b`, found `Num`
// hint: a pair: f (a, b)
// error: type 9:7-9:30 argument 1 of `ifold`: expected `'a => Num => 'a`, found `Num * Num => 'b => Num`
// error: type 10:12-10:18 the pattern of a pair: expected `'a * 'b`, found `Num`
// Patterns of what is no pair.
