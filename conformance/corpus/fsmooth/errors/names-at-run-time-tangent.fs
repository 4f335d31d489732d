let along v = jvp (fun x -> vectorDot x x) v [| 1; 0 |]
along [| 1; 2; 3 |]
// error: conformance 1:15-1:56 `jvp` expects a tangent of the shape of its primal
