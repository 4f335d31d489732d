//! The functions of CORE-MATH, compiled by `build.rs` into an archive.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;

/// A function of one real.
pub type Unary = extern "C" fn(f64) -> f64;
/// A function of two reals.
pub type Binary = extern "C" fn(f64, f64) -> f64;
/// A function of one real with two results.
pub type WithTwoResults = extern "C" fn(f64, &mut f64, &mut f64);

/// `struct vlad_functions` of `mathematics/functions.h`: the functions by their names in C.
#[allow(missing_docs)]
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Functions {
    pub exp: Unary,
    pub log: Unary,
    pub sin: Unary,
    pub cos: Unary,
    pub tan: Unary,
    pub asin: Unary,
    pub acos: Unary,
    pub atan: Unary,
    pub sinh: Unary,
    pub cosh: Unary,
    pub tanh: Unary,
    pub erf: Unary,
    pub erfc: Unary,
    pub log1p: Unary,
    pub expm1: Unary,
    pub lgamma: Unary,
    pub asinh: Unary,
    pub acosh: Unary,
    pub atanh: Unary,
    pub cbrt: Unary,
    pub log2: Unary,
    pub log10: Unary,
    pub exp2: Unary,
    pub tgamma: Unary,
    pub atan2: Binary,
    pub hypot: Binary,
    pub pow: Binary,
    pub sincos: WithTwoResults,
}

/// The functions for this processor, which do not ask for its kind at each call; for code that calls them often.
pub fn functions() -> Functions {
    let mut functions = MaybeUninit::uninit();
    vlad_math_functions(&mut functions);
    // SAFETY: C writes every field of the struct, whose order a test compares.
    unsafe { functions.assume_init() }
}

// SAFETY: `mathematics/functions.h` declares the functions of these names and types; they take and return plain doubles, write
// no memory but their results, and are safe for every argument, NaN and infinities included.
unsafe extern "C" {
    /// e to the power x.
    #[link_name = "vlad_math_exp"]
    pub safe fn exp(x: f64) -> f64;
    /// The natural logarithm.
    #[link_name = "vlad_math_log"]
    pub safe fn log(x: f64) -> f64;
    /// The sine of x radians.
    #[link_name = "vlad_math_sin"]
    pub safe fn sin(x: f64) -> f64;
    /// The cosine of x radians.
    #[link_name = "vlad_math_cos"]
    pub safe fn cos(x: f64) -> f64;
    /// The tangent of x radians.
    #[link_name = "vlad_math_tan"]
    pub safe fn tan(x: f64) -> f64;
    /// The arc sine, in radians.
    #[link_name = "vlad_math_asin"]
    pub safe fn asin(x: f64) -> f64;
    /// The arc cosine, in radians.
    #[link_name = "vlad_math_acos"]
    pub safe fn acos(x: f64) -> f64;
    /// The arc tangent, in radians.
    #[link_name = "vlad_math_atan"]
    pub safe fn atan(x: f64) -> f64;
    /// The angle of the point (x, y), in radians.
    #[link_name = "vlad_math_atan2"]
    pub safe fn atan2(y: f64, x: f64) -> f64;
    /// The hyperbolic sine.
    #[link_name = "vlad_math_sinh"]
    pub safe fn sinh(x: f64) -> f64;
    /// The hyperbolic cosine.
    #[link_name = "vlad_math_cosh"]
    pub safe fn cosh(x: f64) -> f64;
    /// The hyperbolic tangent.
    #[link_name = "vlad_math_tanh"]
    pub safe fn tanh(x: f64) -> f64;
    /// The inverse of the hyperbolic sine.
    #[link_name = "vlad_math_asinh"]
    pub safe fn asinh(x: f64) -> f64;
    /// The inverse of the hyperbolic cosine that is not negative.
    #[link_name = "vlad_math_acosh"]
    pub safe fn acosh(x: f64) -> f64;
    /// The inverse of the hyperbolic tangent.
    #[link_name = "vlad_math_atanh"]
    pub safe fn atanh(x: f64) -> f64;
    /// x to the power y.
    #[link_name = "vlad_math_pow"]
    pub safe fn pow(x: f64, y: f64) -> f64;
    /// The distance of the point (x, y) from the origin, without an overflow in between.
    #[link_name = "vlad_math_hypot"]
    pub safe fn hypot(x: f64, y: f64) -> f64;
    /// The cube root.
    #[link_name = "vlad_math_cbrt"]
    pub safe fn cbrt(x: f64) -> f64;
    /// 2 to the power x.
    #[link_name = "vlad_math_exp2"]
    pub safe fn exp2(x: f64) -> f64;
    /// The logarithm of base 2.
    #[link_name = "vlad_math_log2"]
    pub safe fn log2(x: f64) -> f64;
    /// The logarithm of base 10.
    #[link_name = "vlad_math_log10"]
    pub safe fn log10(x: f64) -> f64;
    /// The logarithm of 1 + x.
    #[link_name = "vlad_math_log1p"]
    pub safe fn log1p(x: f64) -> f64;
    /// e to the power x, minus 1.
    #[link_name = "vlad_math_expm1"]
    pub safe fn expm1(x: f64) -> f64;
    /// The error function.
    #[link_name = "vlad_math_erf"]
    pub safe fn erf(x: f64) -> f64;
    /// The complementary error function.
    #[link_name = "vlad_math_erfc"]
    pub safe fn erfc(x: f64) -> f64;
    /// The logarithm of the absolute value of the gamma function.
    #[link_name = "vlad_math_lgamma"]
    pub safe fn log_gamma(x: f64) -> f64;
    /// The gamma function.
    #[link_name = "vlad_math_tgamma"]
    pub safe fn gamma(x: f64) -> f64;
    /// The derivative of a whole order of the digamma function; not a number for other orders, and at negative whole x.
    #[link_name = "vlad_math_polygamma"]
    pub safe fn polygamma(order: f64, x: f64) -> f64;
    /// The sine and the cosine of x radians, with the bits of [`sin`] and [`cos`], in little more time than one of them.
    #[link_name = "vlad_math_sincos"]
    pub safe fn sine_and_cosine(x: f64, sine: &mut f64, cosine: &mut f64);
    safe fn vlad_math_functions(functions: &mut MaybeUninit<Functions>);
}
