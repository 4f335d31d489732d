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

#[cfg(all(target_os = "linux", target_env = "gnu"))]
// SAFETY: the function of the GNU C library stores the sine and the cosine of a double at the addresses of two doubles, and
// is safe for every argument.
unsafe extern "C" {
    /// The sine and the cosine of x radians, with the bits of [`sin`] and [`cos`], in little more time than one of them.
    #[link_name = "sincos"]
    pub safe fn sine_and_cosine(x: f64, sine: &mut f64, cosine: &mut f64);
}

/// The sine and the cosine of x radians.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub extern "C" fn sine_and_cosine(x: f64, sine: &mut f64, cosine: &mut f64) {
    (*sine, *cosine) = (sin(x), cos(x));
}

/// The logarithm of the absolute value of the gamma function: `lgamma` of C, without its global variable.
pub extern "C" fn log_gamma(x: f64) -> f64 {
    let mut sign = 0;
    // SAFETY: the function stores an integer at the address, which is that of one.
    unsafe { lgamma_r(x, &raw mut sign) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks arguments of all magnitudes, dense ones where the C library changes from one method to another (near 0.86, 2.43 and
    /// 10^8), and those near multiples of a quarter of a turn.
    #[test]
    fn sine_and_cosine_have_the_bits_of_each() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let check = |x: f64| {
            let (mut sine, mut cosine) = (0.0, 0.0);
            sine_and_cosine(x, &mut sine, &mut cosine);
            let is_same = |a: f64, b: f64| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
            assert!(is_same(sine, sin(x)) && is_same(cosine, cos(x)), "{x:e}");
        };
        for x in [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MAX, f64::MIN_POSITIVE, 5e-324] {
            check(x);
        }
        for _ in 0..60_000 {
            check(f64::from_bits(next()));
            let unit = (next() >> 11) as f64 / (1_u64 << 53) as f64;
            for width in [0.9, 2.5, 110.0, 1e4, 2.2e8] {
                check(width * (2.0 * unit - 1.0));
            }
            let quarter = f64::from((next() % 2000) as u32) * std::f64::consts::FRAC_PI_2;
            check(quarter + unit * 2.0_f64.powi(-((next() % 60) as i32)));
        }
    }
}
