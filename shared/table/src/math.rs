//! The mathematical functions whose results are not fixed by IEEE 754: the one table that all engines call.
//!
//! The functions have the C calling convention and are those of the system's own library. Engines in Rust and generated
//! C code compute the same bits by construction, since the compiled code is passed these very pointers; Rust's own
//! methods may be compiled to something else. The square root, the absolute value and the roundings are exact, hence
//! the same everywhere.
//!
//! The polygamma functions, which C does not have, are computed here from operations that are fixed and from these
//! functions ([`polygamma`]).
#![allow(unsafe_code)]

mod polygamma;

pub use polygamma::polygamma;

// SAFETY: these are the C library's functions of those names and types (C11 7.12); they take and return plain doubles,
// read no memory and are safe for every argument, NaN and infinities included.
unsafe extern "C" {
    /// e to the power x.
    pub safe fn exp(x: f64) -> f64;
    /// The natural logarithm.
    pub safe fn log(x: f64) -> f64;
    /// The sine of x radians.
    pub safe fn sin(x: f64) -> f64;
    /// The cosine of x radians.
    pub safe fn cos(x: f64) -> f64;
    /// The tangent of x radians.
    pub safe fn tan(x: f64) -> f64;
    /// The arc sine, in radians.
    pub safe fn asin(x: f64) -> f64;
    /// The arc cosine, in radians.
    pub safe fn acos(x: f64) -> f64;
    /// The arc tangent, in radians.
    pub safe fn atan(x: f64) -> f64;
    /// The angle of the point (x, y), in radians.
    pub safe fn atan2(y: f64, x: f64) -> f64;
    /// The hyperbolic sine.
    pub safe fn sinh(x: f64) -> f64;
    /// The hyperbolic cosine.
    pub safe fn cosh(x: f64) -> f64;
    /// The hyperbolic tangent.
    pub safe fn tanh(x: f64) -> f64;
    /// x to the power y.
    pub safe fn pow(x: f64, y: f64) -> f64;
    /// The error function.
    pub safe fn erf(x: f64) -> f64;
    /// The complementary error function.
    pub safe fn erfc(x: f64) -> f64;
    /// The logarithm of 1 + x.
    pub safe fn log1p(x: f64) -> f64;
    /// e to the power x, minus 1.
    pub safe fn expm1(x: f64) -> f64;
    /// The logarithm of the absolute value of the gamma function, whose sign it stores.
    fn lgamma_r(x: f64, sign: *mut i32) -> f64;
}

/// The logarithm of the absolute value of the gamma function: `lgamma` of C, without its global variable.
pub extern "C" fn log_gamma(x: f64) -> f64 {
    let mut sign = 0;
    // SAFETY: the function stores an integer at the address, which is that of one.
    unsafe { lgamma_r(x, &raw mut sign) }
}
