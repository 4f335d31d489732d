//! The functions of the crate `pxfm`, in Rust, where there is no archive.

/// e to the power x.
pub extern "C" fn exp(x: f64) -> f64 {
    pxfm::f_exp(x)
}

/// The natural logarithm.
pub extern "C" fn log(x: f64) -> f64 {
    pxfm::f_log(x)
}

/// The sine of x radians.
pub extern "C" fn sin(x: f64) -> f64 {
    pxfm::f_sin(x)
}

/// The cosine of x radians.
pub extern "C" fn cos(x: f64) -> f64 {
    pxfm::f_cos(x)
}

/// The tangent of x radians.
pub extern "C" fn tan(x: f64) -> f64 {
    pxfm::f_tan(x)
}

/// The arc sine, in radians.
pub extern "C" fn asin(x: f64) -> f64 {
    pxfm::f_asin(x)
}

/// The arc cosine, in radians.
pub extern "C" fn acos(x: f64) -> f64 {
    pxfm::f_acos(x)
}

/// The arc tangent, in radians.
pub extern "C" fn atan(x: f64) -> f64 {
    pxfm::f_atan(x)
}

/// The angle of the point (x, y), in radians.
pub extern "C" fn atan2(y: f64, x: f64) -> f64 {
    pxfm::f_atan2(y, x)
}

/// The hyperbolic sine.
pub extern "C" fn sinh(x: f64) -> f64 {
    pxfm::f_sinh(x)
}

/// The hyperbolic cosine.
pub extern "C" fn cosh(x: f64) -> f64 {
    pxfm::f_cosh(x)
}

/// The hyperbolic tangent.
pub extern "C" fn tanh(x: f64) -> f64 {
    pxfm::f_tanh(x)
}

/// The inverse of the hyperbolic sine.
pub extern "C" fn asinh(x: f64) -> f64 {
    pxfm::f_asinh(x)
}

/// The inverse of the hyperbolic cosine that is not negative.
pub extern "C" fn acosh(x: f64) -> f64 {
    pxfm::f_acosh(x)
}

/// The inverse of the hyperbolic tangent.
pub extern "C" fn atanh(x: f64) -> f64 {
    pxfm::f_atanh(x)
}

/// x to the power y.
pub extern "C" fn pow(x: f64, y: f64) -> f64 {
    // One whatever the other operand is, also if it is no number.
    if y == 0.0 || x == 1.0 { 1.0 } else { pxfm::f_pow(x, y) }
}

/// The distance of the point (x, y) from the origin, without an overflow in between.
pub extern "C" fn hypot(x: f64, y: f64) -> f64 {
    pxfm::f_hypot(x, y)
}

/// The cube root.
pub extern "C" fn cbrt(x: f64) -> f64 {
    pxfm::f_cbrt(x)
}

/// 2 to the power x.
pub extern "C" fn exp2(x: f64) -> f64 {
    pxfm::f_exp2(x)
}

/// The logarithm of base 2.
pub extern "C" fn log2(x: f64) -> f64 {
    pxfm::f_log2(x)
}

/// The logarithm of base 10.
pub extern "C" fn log10(x: f64) -> f64 {
    pxfm::f_log10(x)
}

/// The logarithm of 1 + x.
pub extern "C" fn log1p(x: f64) -> f64 {
    pxfm::f_log1p(x)
}

/// e to the power x, minus 1.
pub extern "C" fn expm1(x: f64) -> f64 {
    pxfm::f_expm1(x)
}

/// The error function.
pub extern "C" fn erf(x: f64) -> f64 {
    pxfm::f_erf(x)
}

/// The complementary error function.
pub extern "C" fn erfc(x: f64) -> f64 {
    pxfm::f_erfc(x)
}

/// The logarithm of the absolute value of the gamma function.
pub extern "C" fn log_gamma(x: f64) -> f64 {
    pxfm::f_lgamma(x)
}

/// The gamma function.
pub extern "C" fn gamma(x: f64) -> f64 {
    pxfm::f_tgamma(x)
}

/// The sine and the cosine of x radians, with the bits of [`sin`] and [`cos`].
pub extern "C" fn sine_and_cosine(x: f64, sine: &mut f64, cosine: &mut f64) {
    (*sine, *cosine) = pxfm::f_sincos(x);
}
