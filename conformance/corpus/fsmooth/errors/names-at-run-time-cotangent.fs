vjp (fun v -> vectorMap v (fun x -> x * x)) [| 1; 2 |] [| 1 |]
// error: conformance 1:1-1:63 `vjp` expects a cotangent of the shape of the result
