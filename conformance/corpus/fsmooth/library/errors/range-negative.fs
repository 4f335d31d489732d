vectorRange (-1)
// error: TODO
