//! The table of functions on reals that compiled code is handed: those of `vlad_table::math`, and the exact ones.
//!
//! Invariant: they return the same bits as in the other engines, since all engines call the same functions.

use super::interface::Mathematics;
use std::sync::LazyLock;
use vlad_table::math;

/// The table.
pub static MATHEMATICS: LazyLock<Mathematics> = LazyLock::new(|| Mathematics {
    functions: math::functions(),
    polygamma: math::polygamma,
    sqrt: square_root,
    fabs: absolute,
});

extern "C" fn square_root(x: f64) -> f64 {
    x.sqrt()
}

extern "C" fn absolute(x: f64) -> f64 {
    x.abs()
}
