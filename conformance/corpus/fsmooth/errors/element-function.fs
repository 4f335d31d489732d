[| sin; cos |]
// error: type 1:4-1:7 an element of an array is no function
// A function as an element.
