for i in vectorRange 3 do i
for i = 0 to 3 do sin i
while true do 1
// error: syntax 1:7-1:9 `in` cannot stand here
// hint: build and ifold
// error: unbound 2:1-2:4 `for` is not defined
// hint: build and ifold
// error: unbound 2:5-2:6 `i` is not defined
// error: type 2:9-2:10 expected a function
// error: unbound 2:11-2:13 `to` is not defined
// error: unbound 2:16-2:18 `do` is not defined
// hint: build and ifold
// error: unbound 3:1-3:6 `while` is not defined
// hint: build and ifold
// error: unbound 3:12-3:14 `do` is not defined
// hint: build and ifold
// Loops of other languages.
