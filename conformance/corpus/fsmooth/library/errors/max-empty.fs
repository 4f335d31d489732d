vectorMax [||]
// error: TODO
