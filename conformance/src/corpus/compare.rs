//! Comparison of a line of output with the expected line: numbers within a tolerance, everything else character by
//! character.

use vlad_shared::table::number;

/// Below this difference two numbers are the same whatever the relative tolerance: the rounding of subnormal numbers.
const ABSOLUTE: f64 = 1e-300;

/// The relative tolerance of a case that sets none: values that were derived by hand or by other tools have so many digits.
pub const DEFAULT_TOLERANCE: f64 = 1e-12;

/// Returns true if two lines agree, with numbers within a relative tolerance. Both are cut into words and separators; words
/// that read as reals are compared as numbers, everything else as text.
pub fn lines_agree(expected: &str, actual: &str, tolerance: f64) -> bool {
    lines_agree_by(expected, actual, |expected, actual| reals_agree(expected, actual, tolerance))
}

/// Returns true if two lines agree, with numbers that differ by no more than a tolerance, or than its part of the number
/// that is expected.
pub fn lines_agree_nearly(expected: &str, actual: &str, tolerance: f64) -> bool {
    lines_agree_by(expected, actual, |expected, actual| {
        reals_agree(expected, actual, tolerance) || (expected - actual).abs() <= tolerance
    })
}

/// Returns true if two lines agree, with numbers that are at most so many units in the last place apart: for 0 the same
/// bits, but for those of NaN.
pub fn lines_agree_in_units(expected: &str, actual: &str, most: u64) -> bool {
    lines_agree_by(expected, actual, |expected, actual| match (expected.is_nan(), actual.is_nan()) {
        (true, true) => true,
        _ if most == 0 => expected.to_bits() == actual.to_bits(),
        _ if expected.is_finite() && actual.is_finite() => place(expected).abs_diff(place(actual)) <= most,
        _ => expected == actual,
    })
}

/// The position of a finite real among all of them, from 0 at both zeros.
fn place(real: f64) -> i64 {
    let magnitude = real.abs().to_bits() as i64;
    if real.is_sign_negative() { -magnitude } else { magnitude }
}

fn lines_agree_by(expected: &str, actual: &str, reals_agree: impl Fn(f64, f64) -> bool) -> bool {
    let (mut expected, mut actual) = (words(expected), words(actual));
    loop {
        match (expected.next(), actual.next()) {
            (None, None) => return true,
            (Some(expected), Some(actual)) if words_agree(expected, actual, &reals_agree) => {}
            (Some(_), _) | (None, Some(_)) => return false,
        }
    }
}

fn words_agree(expected: &str, actual: &str, reals_agree: impl Fn(f64, f64) -> bool) -> bool {
    match (number::parse(expected), number::parse(actual)) {
        (Some(expected), Some(actual)) => reals_agree(expected, actual),
        _ => expected == actual,
    }
}

/// Returns true if two reals agree within a relative tolerance; NaN agrees with NaN, infinities only with themselves.
pub fn reals_agree(expected: f64, actual: f64, tolerance: f64) -> bool {
    if expected.is_nan() || actual.is_nan() {
        return expected.is_nan() && actual.is_nan();
    }
    expected == actual
        || expected.is_finite() && (expected - actual).abs() <= (tolerance * expected.abs()).max(ABSOLUTE)
}

/// Returns true if the character separates words.
fn separates(character: char) -> bool {
    matches!(character, ' ' | '(' | ')' | '#' | '<' | '>' | '[' | ']')
}

/// The words of a line and the single characters between them.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let length = if separates(first) { first.len_utf8() } else { rest.find(separates).unwrap_or(rest.len()) };
        let (word, others) = rest.split_at(length);
        rest = others;
        Some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_counted_over_zero_and_powers_of_two() {
        let next = f64::from_bits(1.0_f64.to_bits() + 1);
        let before = f64::from_bits(1.0_f64.to_bits() - 1);
        for (expected, actual, units) in [
            ("(1 2)".to_owned(), "(1.0 2)".to_owned(), 0),
            ("0".to_owned(), "-0".to_owned(), 1),
            ("5e-324".to_owned(), "-5e-324".to_owned(), 2),
            ("1".to_owned(), next.to_string(), 1),
            (before.to_string(), next.to_string(), 2),
            ("+nan.0".to_owned(), "+nan.0".to_owned(), 0),
            ("+inf.0".to_owned(), "+inf.0".to_owned(), 0),
        ] {
            assert!(lines_agree_in_units(&expected, &actual, units), "{expected} {actual}");
            assert!(units == 0 || !lines_agree_in_units(&expected, &actual, units - 1), "{expected} {actual}");
        }
        assert!(!lines_agree_in_units("+inf.0", "1.7976931348623157e308", 1000));
        assert!(!lines_agree_in_units("+nan.0", "1", 1000) && !lines_agree_in_units("(1)", "1", 1000));
    }

    #[test]
    fn numbers_agree_within_the_tolerance() {
        for (expected, actual) in [
            ("1", "1.0000000000000002"),
            ("(1 . -2.5)", "(1.0000000000001 . -2.5)"),
            ("0", "-0"),
            ("+nan.0", "+nan.0"),
            ("#(1e21)", "#(1e+21)"),
            ("0", "5e-324"),
        ] {
            assert!(lines_agree(expected, actual, 1e-12), "{expected} {actual}");
        }
    }

    #[test]
    fn numbers_near_zero_agree_nearly() {
        for (expected, actual) in [("0", "1e-7"), ("(1000000 . 0)", "(1000001 . -1e-6)"), ("+nan.0", "+nan.0")] {
            assert!(lines_agree_nearly(expected, actual, 1e-6), "{expected} {actual}");
        }
        for (expected, actual) in
            [("0", "2e-6"), ("1000000", "1000003"), ("+inf.0", "1"), ("+nan.0", "0"), ("#t", "#f")]
        {
            assert!(!lines_agree_nearly(expected, actual, 1e-6), "{expected} {actual}");
        }
    }

    #[test]
    fn other_differences_count() {
        for (expected, actual) in [
            ("1", "1.00000000001"),
            ("(1 2)", "(1 3)"),
            ("(1 2)", "(1  2)"),
            ("(1 2", "(1 2)"),
            ("+inf.0", "-inf.0"),
            ("+inf.0", "1e308"),
            ("1e308", "+inf.0"),
            ("+nan.0", "1"),
            ("#<procedure f>", "#<procedure g>"),
            ("0", "1e-12"),
            ("", "1"),
        ] {
            assert!(!lines_agree(expected, actual, 1e-12), "{expected} {actual}");
        }
    }
}
