let v = [| 1.0, 2.0 |]
// error: syntax 1:15-1:16 `,` cannot stand here
// hint: `;` stands between the elements of an array
