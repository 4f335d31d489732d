//! The functions of the crate `pxfm`, by the names of `vlad_table::math`: others to compare with, in Rust.

pub extern "C" fn exp(x: f64) -> f64 {
    pxfm::f_exp(x)
}

pub extern "C" fn log(x: f64) -> f64 {
    pxfm::f_log(x)
}

pub extern "C" fn sin(x: f64) -> f64 {
    pxfm::f_sin(x)
}

pub extern "C" fn cos(x: f64) -> f64 {
    pxfm::f_cos(x)
}

pub extern "C" fn tan(x: f64) -> f64 {
    pxfm::f_tan(x)
}

pub extern "C" fn asin(x: f64) -> f64 {
    pxfm::f_asin(x)
}

pub extern "C" fn acos(x: f64) -> f64 {
    pxfm::f_acos(x)
}

pub extern "C" fn atan(x: f64) -> f64 {
    pxfm::f_atan(x)
}

pub extern "C" fn atan2(y: f64, x: f64) -> f64 {
    pxfm::f_atan2(y, x)
}

pub extern "C" fn sinh(x: f64) -> f64 {
    pxfm::f_sinh(x)
}

pub extern "C" fn cosh(x: f64) -> f64 {
    pxfm::f_cosh(x)
}

pub extern "C" fn tanh(x: f64) -> f64 {
    pxfm::f_tanh(x)
}

pub extern "C" fn asinh(x: f64) -> f64 {
    pxfm::f_asinh(x)
}

pub extern "C" fn acosh(x: f64) -> f64 {
    pxfm::f_acosh(x)
}

pub extern "C" fn atanh(x: f64) -> f64 {
    pxfm::f_atanh(x)
}

pub extern "C" fn pow(x: f64, y: f64) -> f64 {
    // One whatever the other operand is, also if it is no number.
    if y == 0.0 || x == 1.0 { 1.0 } else { pxfm::f_pow(x, y) }
}

pub extern "C" fn hypot(x: f64, y: f64) -> f64 {
    pxfm::f_hypot(x, y)
}

pub extern "C" fn cbrt(x: f64) -> f64 {
    pxfm::f_cbrt(x)
}

pub extern "C" fn exp2(x: f64) -> f64 {
    pxfm::f_exp2(x)
}

pub extern "C" fn log2(x: f64) -> f64 {
    pxfm::f_log2(x)
}

pub extern "C" fn log10(x: f64) -> f64 {
    pxfm::f_log10(x)
}

pub extern "C" fn log1p(x: f64) -> f64 {
    pxfm::f_log1p(x)
}

pub extern "C" fn expm1(x: f64) -> f64 {
    pxfm::f_expm1(x)
}

pub extern "C" fn erf(x: f64) -> f64 {
    pxfm::f_erf(x)
}

pub extern "C" fn erfc(x: f64) -> f64 {
    pxfm::f_erfc(x)
}

pub extern "C" fn lgamma(x: f64) -> f64 {
    pxfm::f_lgamma(x)
}

pub extern "C" fn tgamma(x: f64) -> f64 {
    pxfm::f_tgamma(x)
}
