vectorMap (grad vectorSum [| 1.0; 2.0 |]) (fun x -> x + 1.0)
// error: type 1:43-1:61 argument 2 of `vectorMap`
// hint: snd the tangent
// A function of numbers is mapped over a gradient.
