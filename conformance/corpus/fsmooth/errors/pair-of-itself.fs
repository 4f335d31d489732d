let t = ifold (fun s i -> (s, 1.0)) 0.0 3
// error: type 1:15-1:36 argument 1 of `ifold`: `'a => Num => 'a` and `'b => 'c => 'b * Num` are equal only for a type that contains itself
// hint: same type before and after each iteration
// A state that contains the state before, and begins as a number.
