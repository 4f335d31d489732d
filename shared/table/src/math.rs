//! The mathematical functions whose results are not fixed by IEEE 754: the one table that all engines call.
//!
//! Each function is the real value rounded to nearest, ties to even, with the special cases of C's Annex F (report, part
//! 10.2). So it has one result for every operand, on every machine. The square root, the absolute value and the roundings are
//! exact, and no part of this table.
//!
//! The functions have the C calling convention, since compiled code is passed pointers to them. They are those of CORE-MATH
//! (Sibidanov, Zimmermann and Glondu, The CORE-MATH project, 2022), which are made to be correctly rounded, with quick phases of our own
//! for some (`mathematics/quick.c`); `conformance/tests/functions` compares them with values of 96 digits. `build.rs` compiles them, for WebAssembly as well.
//!
//! The polygamma functions are defined by the order of their operations, not by rounding (`mathematics/polygamma.h`).

mod compiled;

pub use compiled::*;

/// The text of the polygamma functions in C, a file that calls `log`, `tan`, `floor` and `rint`.
pub const POLYGAMMA_IN_C: &str = include_str!("../mathematics/polygamma.h");

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn is_same(a: f64, b: f64) -> bool {
        a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
    }

    /// Checks arguments of all magnitudes, dense ones near zero, and those near multiples of a quarter of a turn.
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

    /// Pointers have the values of the functions of their names: the order is that in C.
    #[test]
    fn pointers_have_the_functions_of_their_names() {
        let f = functions();
        for ((name, own), pointer) in UNARY.iter().zip(f.unary()) {
            for x in [0.7, 1.7] {
                assert!(is_same(pointer(x), own(x)), "{name}");
            }
        }
        for ((name, own), pointer) in BINARY.iter().zip(f.binary()) {
            assert!(is_same(pointer(0.7, 1.3), own(0.7, 1.3)), "{name}");
        }
        let (mut sine, mut cosine) = (0.0, 0.0);
        (f.sincos)(0.7, &mut sine, &mut cosine);
        assert_eq!((sine.to_bits(), cosine.to_bits()), (sin(0.7).to_bits(), cos(0.7).to_bits()));
    }

    /// Values with 20 digits, from series of the definition that were summed with 50 digits.
    #[test]
    fn values_are_those_of_the_definition() {
        const EULER: f64 = 0.577_215_664_901_532_9;
        for (order, x, expected) in [
            (0.0, 1.0, -EULER),
            (0.0, 0.5, -EULER - 2.0 * 2f64.ln()),
            (0.0, 10.0, 2.251_752_589_066_721),
            (0.0, -0.5, 2.0 - EULER - 2.0 * 2f64.ln()),
            (1.0, 1.0, PI * PI / 6.0),
            (1.0, 0.5, PI * PI / 2.0),
            (1.0, -0.5, PI * PI / 2.0 + 4.0),
            (2.0, 1.0, -2.0 * 1.202_056_903_159_594_2),
            (2.0, 0.5, -14.0 * 1.202_056_903_159_594_2),
            (2.0, -0.5, -14.0 * 1.202_056_903_159_594_2 + 16.0),
            (3.0, 1.0, PI.powi(4) / 15.0),
            (3.0, 0.5, PI.powi(4)),
            (3.0, -0.5, PI.powi(4) + 96.0),
        ] {
            let found = polygamma(order, x);
            // Near a zero of the function its terms cancel, which are greater than 1.
            assert!((found - expected).abs() <= 2e-14 * expected.abs().max(1.0), "{order} {x}: {found} {expected}");
        }
    }

    #[test]
    fn the_edges_are_those_of_the_report() {
        assert_eq!(polygamma(0.0, 0.0), f64::NEG_INFINITY);
        assert_eq!(polygamma(0.0, -0.0), f64::INFINITY);
        assert_eq!(polygamma(1.0, 0.0), f64::INFINITY);
        assert_eq!(polygamma(0.0, f64::INFINITY), f64::INFINITY);
        assert_eq!(polygamma(2.0, f64::INFINITY), 0.0);
        for (order, x) in [(0.5, 1.0), (-1.0, 1.0), (f64::NAN, 1.0), (0.0, f64::NAN), (0.0, -3.0), (161.0, 1.0)] {
            assert!(polygamma(order, x).is_nan(), "{order} {x}");
        }
    }
}
