1 != 2
1 |> sin
[| 1 |] ++ [| 2 |]
[| 1 |] @ [| 2 |]
1 :: [| 2 |]
0 .. 3
# 1
// error: read 1:3-1:5 `!=` is no operator
// hint: <>
// error: read 2:3-2:5 `|>` is no operator
// hint: f x
// error: read 3:9-3:11 `++` is no operator
// hint: append v w
// error: read 4:9-4:10 `@`
// hint: append v w
// error: read 5:3-5:5 `::` is no operator
// hint: append v w
// error: read 6:3-6:5 `..` is no operator
// hint: vectorRange n
// error: read 7:1-7:2 `#`
// hint: //
// Operators of other languages.
