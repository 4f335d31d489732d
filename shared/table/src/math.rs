//! The mathematical functions whose results are not fixed by IEEE 754: the one table that all engines call.
//!
//! Each function is the real value rounded to nearest, ties to even, with the special cases of C's Annex F (report, part
//! 10.2). So it has one result for every operand, on every machine. The square root, the absolute value and the roundings are
//! exact, and no part of this table.
//!
//! The functions have the C calling convention, since compiled code is passed these very pointers. On the architectures of
//! `build.rs` they are those of CORE-MATH (Sibidanov, Zimmermann and Glondu, The CORE-MATH project, 2022), which are proven to
//! be correctly rounded and are the faster ones; elsewhere, as in WebAssembly, those of the crate `pxfm`. A test compares the
//! two.
//!
//! The polygamma functions are defined by the order of their operations, not by rounding ([`polygamma`]).

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod compiled;
mod polygamma;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod portable;

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub use compiled::*;
pub use polygamma::{POLYGAMMA_IN_C, polygamma};
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub use portable::*;

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
