deriv 3 sin
// error: type 1:9-1:12 `sin` is a function of the language
// A derivative by a function of the language.
