//! The table of functions on reals that compiled code is handed: those of `vlad_table::math`, and the exact ones.
//!
//! Invariant: they return the same bits as in the other engines, since all engines call the same functions.

use super::interface::Mathematics;
use vlad_table::math;

/// The table.
pub static MATHEMATICS: Mathematics = Mathematics {
    exp: math::exp,
    log: math::log,
    sin: math::sin,
    cos: math::cos,
    tan: math::tan,
    asin: math::asin,
    acos: math::acos,
    atan: math::atan,
    atan2: math::atan2,
    sinh: math::sinh,
    cosh: math::cosh,
    tanh: math::tanh,
    pow: math::pow,
    sqrt: square_root,
    fabs: absolute,
    erf: math::erf,
    erfc: math::erfc,
    log1p: math::log1p,
    expm1: math::expm1,
    lgamma: math::log_gamma,
    polygamma: math::polygamma,
    asinh: math::asinh,
    acosh: math::acosh,
    atanh: math::atanh,
    hypot: math::hypot,
    cbrt: math::cbrt,
    exp2: math::exp2,
    log2: math::log2,
    log10: math::log10,
    tgamma: math::gamma,
    sincos: math::sine_and_cosine,
};

extern "C" fn square_root(x: f64) -> f64 {
    x.sqrt()
}

extern "C" fn absolute(x: f64) -> f64 {
    x.abs()
}
