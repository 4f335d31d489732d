// A program may give a name of the library another meaning; the library keeps its own.

let vectorMap2 v w f = 1.0
let vectorSum v = 2.0

vectorMap2 0 0 0
// exact: 1
vectorSum 0
// exact: 2
vectorDot [| 1.0; 2.0 |] [| 3.0; 4.0 |]
// exact: 11
