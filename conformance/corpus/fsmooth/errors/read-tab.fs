let f x =
	x
// error: read 2:1-2:2 indented by blanks
// hint: certain width
// A tab before the first token of a line.
