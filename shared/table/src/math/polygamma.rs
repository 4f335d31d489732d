//! The polygamma functions: the digamma function, which is the derivative of the logarithm of the gamma function, and its
//! derivatives.
//!
//! With n the order, these equations are used (Abramowitz and Stegun, 6.4):
//!
//! - far from zero, the asymptotic series of 6.4.11, of which [`BERNOULLI`] has the coefficients;
//! - nearer to it, the recurrence psi_n(x) = psi_n(x + 1) - (-1)^n n! / x^(n+1), until the series is exact enough;
//! - below zero, the reflection psi_n(x) = (-1)^n psi_n(1 - x) - pi d^n/dx^n cot(pi x).
//!
//! Results have some 14 digits, apart from cancellation near zeros of the function. The bits follow from the order of
//! the operations here, from `log` and from `tan`. `mathematics/polygamma.h` is the same function in C, for compiled
//! libraries; a test compares their bits.

use super::{log, tan};
use std::f64::consts::PI;

/// The text of the same function in C, a file that calls `log`, `tan`, `floor` and `rint`.
pub const POLYGAMMA_IN_C: &str = include_str!("../../mathematics/polygamma.h");

/// The greatest order: the factorials of greater ones are no doubles.
const MOST: u32 = 160;

/// The Bernoulli numbers of the even indices from 2.
const BERNOULLI: [f64; 12] = [
    1.0 / 6.0,
    -1.0 / 30.0,
    1.0 / 42.0,
    -1.0 / 30.0,
    5.0 / 66.0,
    -691.0 / 2730.0,
    7.0 / 6.0,
    -3617.0 / 510.0,
    43867.0 / 798.0,
    -174611.0 / 330.0,
    854513.0 / 138.0,
    -236364091.0 / 2730.0,
];

/// The derivative of a whole order of the digamma function; not a number for other orders, and at negative whole x.
pub extern "C" fn polygamma(order: f64, x: f64) -> f64 {
    let n = order as u32;
    if f64::from(n) != order || n > MOST || x.is_nan() || (x < 0.0 && (x == x.floor())) {
        return f64::NAN;
    }
    if x >= 0.0 {
        return above_zero(n, x);
    }
    let mirrored = above_zero(n, 1.0 - x);
    let mirrored = if n.is_multiple_of(2) { mirrored } else { -mirrored };
    mirrored - cotangent_derivative(n, x)
}

/// The function at a point that is not negative: at a zero an infinity.
fn above_zero(n: u32, x: f64) -> f64 {
    // n! with the sign of the recurrence, which is that of -(-1)^n.
    let mut factorial = if n.is_multiple_of(2) { -1.0 } else { 1.0 };
    for factor in 1..=n {
        factorial *= f64::from(factor);
    }
    let mut near = 0.0;
    let mut far = x;
    let enough = 15.0 + f64::from(n);
    while far < enough {
        near += factorial / power(far, n + 1);
        far += 1.0;
    }
    near + series(n, far, factorial)
}

/// The asymptotic series; `factorial` is n! with the sign of -(-1)^n.
fn series(n: u32, x: f64, factorial: f64) -> f64 {
    let square = x * x;
    if n == 0 {
        let mut sum = log(x) - 0.5 / x;
        let mut divisor = square;
        let mut index = 2.0;
        for number in BERNOULLI {
            sum -= number / (index * divisor);
            divisor *= square;
            index += 2.0;
        }
        return sum;
    }
    let order = f64::from(n);
    let scale = power(x, n);
    let mut sum = factorial / order / scale + 0.5 * factorial / (scale * x);
    // (2k + n - 1)! / (2k)! with the sign, from 2k = 2 on: (n + 1)! / 2.
    let mut ratio = factorial * (order + 1.0) / 2.0;
    let mut divisor = scale * square;
    let mut index = 2.0;
    for number in BERNOULLI {
        sum += number * ratio / divisor;
        ratio = ratio * ((index + order) / (index + 1.0)) * ((index + order + 1.0) / (index + 2.0));
        divisor *= square;
        index += 2.0;
    }
    sum
}

/// pi times the derivative of order n of cot(pi x): with c the cotangent, pi^(n+1) P_n(c), where P_0 = c and P_k+1 is
/// -(1 + c^2) times the derivative of P_k.
fn cotangent_derivative(n: u32, x: f64) -> f64 {
    let fraction = x - x.round_ties_even();
    let cotangent = 1.0 / tan(PI * fraction);
    // The coefficients of the polynomial by powers of c; its degree is the order plus 1.
    let mut polynomial = [0.0; MOST as usize + 2];
    polynomial[1] = 1.0;
    let mut scale = PI;
    for order in 0..n as usize {
        let degree = order + 1;
        let mut next = [0.0; MOST as usize + 2];
        for power in 1..=degree {
            let term = polynomial.get(power).copied().unwrap_or(0.0) * power as f64;
            for place in [power - 1, power + 1] {
                if let Some(place) = next.get_mut(place) {
                    *place -= term;
                }
            }
        }
        polynomial = next;
        scale *= PI;
    }
    let value = polynomial.iter().take(n as usize + 2).rev().fold(0.0, |value, factor| value * cotangent + factor);
    scale * value
}

/// x to a whole power, by multiplications from the left.
fn power(x: f64, exponent: u32) -> f64 {
    (0..exponent).fold(1.0, |product, _| product * x)
}

#[cfg(test)]
mod tests {
    use super::*;

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
