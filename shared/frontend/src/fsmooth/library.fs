// The library of F-smooth, which every program has.

// The gradient of f at v, by reverse mode.
let vgradReverse = fun f v -> snd (vjp f v 1.0)

// The same with checkpoints.
let vgradCheckpoint = fun f v -> snd (vjpCheckpoint f v 1.0)
