//! Numbers as text: printing gives the shortest decimal that reads back, in the layout of ECMAScript. It is checked
//! against the digits of another algorithm, for doubles of all magnitudes.

use crate::check_all;
use vlad_derivatives::numbers::Numbers;

/// The text of a real in the layout of ECMAScript, section Number::toString, from the digits and the exponent of Rust's
/// formatting.
fn expected(real: f64) -> String {
    let scientific = format!("{:e}", real.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap();
    let digits = mantissa.replace('.', "");
    let (count, point) = (digits.len() as i32, exponent.parse::<i32>().unwrap() + 1);
    let magnitude = if count <= point && point <= 21 {
        format!("{digits}{}", "0".repeat((point - count) as usize))
    } else if 0 < point && point <= 21 {
        format!("{}.{}", &digits[..point as usize], &digits[point as usize..])
    } else if -6 < point && point <= 0 {
        format!("0.{}{digits}", "0".repeat(-point as usize))
    } else {
        let sign = if point > 0 { '+' } else { '-' };
        let exponent = (point - 1).abs();
        let rest = if count == 1 { String::new() } else { format!(".{}", &digits[1..]) };
        format!("{}{rest}e{sign}{exponent}", &digits[..1])
    };
    if real.is_sign_negative() { format!("-{magnitude}") } else { magnitude }
}

/// Doubles of all magnitudes, whole numbers, decimals with few digits, neighbours of powers of ten and of two.
fn reals() -> Vec<f64> {
    let mut numbers = Numbers::new(7);
    let mut reals: Vec<f64> =
        (0..2000).map(|_| f64::from_bits(numbers.bits())).filter(|real| real.is_finite()).collect();
    reals.extend((0..500).map(|_| (numbers.bits() >> numbers.below(64)) as f64));
    reals.extend((0..500).map(|_| numbers.real()));
    for exponent in -30..30 {
        let ten = 10f64.powi(exponent);
        reals.extend([ten, -ten, ten.next_up(), ten.next_down()]);
    }
    for exponent in (0..2046u64).step_by(31) {
        let two = f64::from_bits(exponent << 52);
        reals.extend([two.next_up(), -two.next_up(), two.next_up().next_up()]);
    }
    reals
}

#[test]
fn numbers_are_printed_shortest_and_read_back() {
    let mut expectations = Vec::new();
    for real in reals() {
        let text = expected(real);
        assert_eq!(text.parse::<f64>().unwrap().to_bits(), real.to_bits());
        // The literal with 17 digits, which also determine a double, and the printed one.
        expectations.push((format!("{real:.16e}"), text.clone()));
        expectations.push((text.clone(), text));
    }
    check_all("", &expectations);
}
