//! The mathematical functions whose results are not fixed by IEEE 754: the one table that all engines call.
//!
//! The functions have the C calling convention and are those of the system's own library. Engines in Rust and generated
//! C code compute the same bits by construction, since the compiled code is passed these very pointers; Rust's own
//! methods may be compiled to something else. The square root, the absolute value and the roundings are exact, hence
//! the same everywhere.
#![allow(unsafe_code)]

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
}
