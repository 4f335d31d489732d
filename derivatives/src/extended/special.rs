//! The special functions on reals of 96 digits: the error function by its series of positive terms, the gamma function and
//! its relatives by Stirling's series far from zero, and by their recurrences and reflections from there.

use super::arithmetic::{PRECISION, ROUNDING, Reference, add, divide, floor, multiply, round, subtract, to_double};
use astro_float_num::BigFloat;

/// The bound beyond which the complementary error function is below all doubles.
const BEYOND: f64 = 28.0;

/// The point from which Stirling's series gives 96 digits.
const FAR: f64 = 80.0;

/// The point below zero from which recurrences take too long.
const TOO_FAR: f64 = -2000.0;

/// The error function.
pub fn error_function(reference: &mut Reference, x: &BigFloat) -> BigFloat {
    let one = Reference::number(1.0);
    if x.is_nan() {
        return x.clone();
    }
    if x.abs() > Reference::number(BEYOND) {
        return if x.is_negative() { one.neg() } else { one };
    }
    error_series(reference, x, reference.precision() + 64)
}

/// The complement of the error function; of a large operand with as many more bits as the subtraction cancels.
pub fn complementary_error_function(reference: &mut Reference, x: &BigFloat) -> BigFloat {
    if x.is_nan() {
        return x.clone();
    }
    if x.abs() > Reference::number(BEYOND) {
        return Reference::number(if x.is_negative() { 2.0 } else { 0.0 });
    }
    let near = to_double(x);
    let precision = reference.precision() + 64 + (1.5 * near * near) as usize;
    let series = error_series(reference, x, precision);
    Reference::number(1.0).sub(&series, precision, ROUNDING)
}

/// 2/sqrt(pi) e^(-x^2) times the sum of 2^n x^(2n+1) / (1 3 5 ... (2n+1)).
fn error_series(reference: &mut Reference, x: &BigFloat, precision: usize) -> BigFloat {
    let square = x.mul(x, precision, ROUNDING);
    let twice = square.add(&square, precision, ROUNDING);
    let (mut term, mut sum) = (x.clone(), x.clone());
    let mut odd = 1.0;
    loop {
        odd += 2.0;
        term = term.mul(&twice, precision, ROUNDING).div(&Reference::number(odd), precision, ROUNDING);
        sum = sum.add(&term, precision, ROUNDING);
        let is_negligible = match (term.exponent(), sum.exponent()) {
            (Some(term), Some(sum)) => i64::from(term) < i64::from(sum) - precision as i64 - 2,
            _ => true,
        };
        if term.is_zero() || is_negligible {
            break;
        }
    }
    let bell = reference.precise_exp(&square.neg(), precision);
    let root = reference.pi(precision).sqrt(precision, ROUNDING);
    let scale = Reference::number(2.0).div(&root, precision, ROUNDING);
    sum.mul(&bell, precision, ROUNDING).mul(&scale, precision, ROUNDING)
}

/// The logarithm of the absolute value of the gamma function.
pub fn log_gamma(reference: &mut Reference, x: &BigFloat) -> BigFloat {
    let one = Reference::number(1.0);
    if x.is_nan() || x.is_inf() {
        return x.abs();
    }
    if x.is_zero() || (x.is_negative() && x.fract().is_zero()) {
        return Reference::number(f64::INFINITY);
    }
    if x.is_negative() {
        let pi = reference.pi(PRECISION);
        // The distance to the nearest whole number, which is exact for a tiny x as well.
        let sine = reference.sin(&multiply(&pi, &subtract(x, &round(x))));
        let both = reference.ln(&divide(&pi, &sine).abs());
        let mirrored = log_gamma(reference, &subtract(&one, x));
        return subtract(&both, &mirrored);
    }
    let (mut far, mut product) = (x.clone(), one.clone());
    while far < Reference::number(FAR) {
        product = multiply(&product, &far);
        far = add(&far, &one);
    }
    let (half, logarithm) = (Reference::number(0.5), reference.ln(&far));
    let circle = multiply(&Reference::number(2.0), &reference.pi(PRECISION));
    let mut sum = subtract(&multiply(&subtract(&far, &half), &logarithm), &far);
    sum = add(&sum, &multiply(&half, &reference.ln(&circle)));
    let square = multiply(&far, &far);
    let mut power = far;
    for (number, k) in reference.bernoulli().iter().zip(1..) {
        let index = 2.0 * f64::from(k);
        let divisor = multiply(&Reference::number(index * (index - 1.0)), &power);
        sum = add(&sum, &divide(number, &divisor));
        power = multiply(&power, &square);
    }
    subtract(&sum, &reference.ln(&product))
}

/// The gamma function: e to the power of its logarithm, with the sign; at zero an infinity, and not a number at the negative whole
/// numbers.
pub fn gamma(reference: &mut Reference, x: &BigFloat) -> BigFloat {
    if x.is_zero() {
        return Reference::number(f64::INFINITY);
    }
    if x.is_negative() && (x.is_inf() || x.fract().is_zero()) {
        return Reference::number(f64::NAN);
    }
    let logarithm = log_gamma(reference, x);
    let magnitude = reference.exp(&logarithm);
    let is_odd = !divide(&floor(x), &Reference::number(2.0)).fract().is_zero();
    if x.is_negative() && is_odd { magnitude.neg() } else { magnitude }
}

/// The derivative of a whole order of the digamma function.
pub fn polygamma(reference: &mut Reference, order: &BigFloat, x: &BigFloat) -> BigFloat {
    let (nan, one) = (Reference::number(f64::NAN), Reference::number(1.0));
    let n = to_double(order);
    let is_order = (0.0..=160.0).contains(&n) && order.fract().is_zero();
    let is_pole = !x.is_nan() && x.is_negative() && x.fract().is_zero();
    if !is_order || x.is_nan() || x.is_inf() || is_pole || *x < Reference::number(TOO_FAR) {
        return nan;
    }
    let n = n as u32;
    let mut factorial = if n.is_multiple_of(2) { one.neg() } else { one.clone() };
    for factor in 1..=n {
        factorial = multiply(&factorial, &Reference::number(f64::from(factor)));
    }
    let power = |x: &BigFloat, exponent: u32| (0..exponent).fold(one.clone(), |product, _| multiply(&product, x));
    let (mut near, mut far) = (Reference::number(0.0), x.clone());
    while far < Reference::number(FAR + f64::from(n)) {
        near = add(&near, &divide(&factorial, &power(&far, n + 1)));
        far = add(&far, &one);
    }
    // The derivative of order n + 1 of Stirling's series, term by term.
    let half = Reference::number(0.5);
    let mut sum = multiply(&half, &divide(&factorial, &power(&far, n + 1)));
    sum = match n {
        0 => add(&sum, &reference.ln(&far)),
        _ => add(&sum, &divide(&divide(&factorial, &Reference::number(f64::from(n))), &power(&far, n))),
    };
    for (number, k) in reference.bernoulli().iter().zip(1..) {
        let index = 2 * k;
        // (index + n - 1)! / index!, with the sign of the factorial.
        let mut ratio = if n.is_multiple_of(2) { one.neg() } else { one.clone() };
        for factor in index + 1..index + n {
            ratio = multiply(&ratio, &Reference::number(f64::from(factor)));
        }
        if n == 0 {
            ratio = divide(&ratio, &Reference::number(f64::from(index)));
        }
        sum = add(&sum, &divide(&multiply(number, &ratio), &power(&far, index + n)));
    }
    add(&sum, &near)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values with 40 digits from the tables of the Digital Library of Mathematical Functions and from closed forms.
    #[test]
    fn values_are_those_of_closed_forms() {
        let Some(mut reference) = Reference::new() else { panic!("no memory") };
        let number = Reference::number;
        let near = |a: &BigFloat, b: &BigFloat| to_double(&subtract(a, b)).abs() < 1e-90;
        // erf + erfc is 1, by sums of different precision; both are odd and even about the middle.
        for x in [0.25, 1.0, 3.0] {
            let (erf, erfc) =
                (error_function(&mut reference, &number(x)), complementary_error_function(&mut reference, &number(-x)));
            assert!(near(&add(&number(1.0), &erf), &erfc));
        }
        assert!((to_double(&error_function(&mut reference, &number(0.5))) - 0.520_499_877_813_046_5).abs() < 1e-16);
        // erfc(5) = 1.5374597944280348502e-12.
        let erfc = to_double(&complementary_error_function(&mut reference, &number(5.0)));
        assert!((erfc / 1.537_459_794_428_034_8e-12 - 1.0).abs() < 1e-15);
        // Gamma(1/2) is the square root of pi, Gamma(-1/2) = -2 sqrt(pi); Gamma(11) = 10!.
        let pi = reference.pi(PRECISION);
        let half = multiply(&number(0.5), &reference.ln(&pi));
        assert!(near(&log_gamma(&mut reference, &number(0.5)), &half));
        let two = reference.ln(&number(2.0));
        assert!(near(&log_gamma(&mut reference, &number(-0.5)), &add(&half, &two)));
        let factorial = reference.ln(&number(3_628_800.0));
        assert!(near(&log_gamma(&mut reference, &number(11.0)), &factorial));
        // The trigamma function at 1 is pi^2/6, that of order 3 at 1/2 is pi^4; digamma(2) - digamma(1) = 1.
        let square = multiply(&pi, &pi);
        assert!(near(&polygamma(&mut reference, &number(1.0), &number(1.0)), &divide(&square, &number(6.0))));
        assert!(near(&polygamma(&mut reference, &number(3.0), &number(0.5)), &multiply(&square, &square)));
        let difference = subtract(
            &polygamma(&mut reference, &number(0.0), &number(2.0)),
            &polygamma(&mut reference, &number(0.0), &number(1.0)),
        );
        assert!(near(&difference, &number(1.0)));
        // digamma(1/2) = -gamma - 2 log 2 and digamma(1) = -gamma.
        let difference = subtract(
            &polygamma(&mut reference, &number(0.0), &number(1.0)),
            &polygamma(&mut reference, &number(0.0), &number(0.5)),
        );
        assert!(near(&difference, &multiply(&number(2.0), &two)));
    }
}
