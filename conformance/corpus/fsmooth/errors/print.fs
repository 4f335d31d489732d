print 1
// error: unbound 1:1-1:6 `print` is not defined
// hint: write e
