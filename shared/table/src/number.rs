//! Conversion between reals and text: reading all usual notations, printing the shortest text that reads back.

use std::io::{self, Write};

/// The notation in which reals are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Notation {
    /// The shortest decimal that reads back.
    #[default]
    Shortest,
    /// The same followed by the 16 hexadecimal digits in brackets.
    WithBits,
}

/// Writes a real.
///
/// # Errors
/// The writer's own.
pub fn write(out: &mut dyn Write, real: f64, notation: Notation) -> io::Result<()> {
    out.write_all(format(real).as_bytes())?;
    write_bits(out, real, notation)
}

/// Writes the bits of a real behind it, if the notation has them.
///
/// # Errors
/// The writer's own.
pub fn write_bits(out: &mut dyn Write, real: f64, notation: Notation) -> io::Result<()> {
    match notation {
        Notation::Shortest => Ok(()),
        Notation::WithBits => write!(out, "[{}]", bits(real)),
    }
}

/// Reads a real: `1 -1. .5 1e-3 #x1f #b101 #o17 +inf.0 -inf.0 +nan.0`. None if the text is not one.
pub fn parse(text: &str) -> Option<f64> {
    if let Some(rest) = text.strip_prefix('#') {
        let mut characters = rest.chars();
        let radix = match characters.next()?.to_ascii_lowercase() {
            'x' => 16,
            'o' => 8,
            'b' => 2,
            'd' => return parse_decimal(characters.as_str()),
            _ => return None,
        };
        return parse_integer(characters.as_str(), radix);
    }
    parse_decimal(text)
}

/// Reads decimal notation and the special values, without prefix.
fn parse_decimal(text: &str) -> Option<f64> {
    match text.to_ascii_lowercase().as_str() {
        "+inf.0" => return Some(f64::INFINITY),
        "-inf.0" => return Some(f64::NEG_INFINITY),
        "+nan.0" | "-nan.0" => return Some(f64::NAN),
        _ => {}
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let exponent_is_right = exponent.is_none_or(|exponent| {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !exponent.is_empty() && digits(exponent)
    });
    let right = (!whole.is_empty() || !fraction.is_empty()) && digits(whole) && digits(fraction) && exponent_is_right;
    if !right {
        return None;
    }
    let magnitude = decimal(whole, fraction, exponent.unwrap_or("0"))?;
    Some(if text.starts_with('-') { -magnitude } else { magnitude })
}

/// Returns the double nearest to whole.fraction times ten to the exponent.
///
/// Rust rounds correctly, but takes only a limited number of digits of an exponent. So the number is written with its
/// point before the first digit that is not zero; then an exponent far from zero means zero or infinity, whatever the
/// digits are.
fn decimal(whole: &str, fraction: &str, exponent: &str) -> Option<f64> {
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_start_matches('0');
    if significant.is_empty() {
        return Some(0.0);
    }
    let leading_zeros = digits.len() - significant.len();
    let point = whole.len() as i128 - leading_zeros as i128;
    let shift = match exponent.parse::<i64>() {
        Ok(exponent) => i128::from(exponent),
        // The exponent consists of digits, so it is out of range: further from zero than any number of digits in a text
        // can compensate.
        Err(_) if exponent.starts_with('-') => i128::MIN / 2,
        Err(_) => i128::MAX / 2,
    };
    match point + shift {
        far if far > 400 => Some(f64::INFINITY),
        far if far < -400 => Some(0.0),
        near => format!("0.{significant}e{near}").parse().ok(),
    }
}

/// Reads an integer in a radix that is a power of two, rounded to nearest, ties to even.
fn parse_integer(text: &str, radix: u32) -> Option<f64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() {
        return None;
    }
    let bits_a_digit = radix.trailing_zeros();
    let mut mantissa: u64 = 0;
    let mut dropped_bits: u32 = 0;
    let mut sticky = false;
    for character in digits.chars() {
        let digit = u64::from(character.to_digit(radix)?);
        for bit in (0..bits_a_digit).rev() {
            let bit = (digit >> bit) & 1;
            // 62 bits are kept, more than the 53 of a double and one to round by; the others only distinguish a tie.
            if mantissa < 1 << 62 {
                mantissa = mantissa << 1 | bit;
            } else {
                dropped_bits = dropped_bits.saturating_add(1);
                sticky |= bit == 1;
            }
        }
    }
    let rounded = (mantissa | u64::from(sticky)) as f64;
    // 2 to the power of the dropped bits, exactly; from 2^1024 on the product is infinite whatever the mantissa.
    let scale = if dropped_bits > 1023 { f64::INFINITY } else { f64::from_bits(u64::from(1023 + dropped_bits) << 52) };
    let magnitude = rounded * scale;
    Some(if negative { -magnitude } else { magnitude })
}

/// Prints a real as ECMAScript does, except `-0`, `+inf.0`, `-inf.0` and `+nan.0`, which are printed as they read back.
pub fn format(real: f64) -> String {
    if real.is_nan() {
        "+nan.0".to_owned()
    } else if real.is_infinite() {
        (if real > 0.0 { "+inf.0" } else { "-inf.0" }).to_owned()
    } else if real == 0.0 && real.is_sign_negative() {
        "-0".to_owned()
    } else {
        ryu_js::Buffer::new().format_finite(real).to_owned()
    }
}

/// Returns the 16 hexadecimal digits of a real, the same for every NaN.
pub fn bits(real: f64) -> String {
    format!("{:016x}", canonical_bits(real))
}

/// Returns the bits of a real; those of every NaN are the same, since programs cannot tell one from another.
pub fn canonical_bits(real: f64) -> u64 {
    if real.is_nan() { f64::NAN.to_bits() & !(1 << 63) } else { real.to_bits() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_notations_are_read() {
        for (text, real) in [
            ("1", 1.0),
            ("-1.", -1.0),
            (".5", 0.5),
            ("+.5", 0.5),
            ("1e-3", 1e-3),
            ("1E3", 1e3),
            ("#x1f", 31.0),
            ("#b101", 5.0),
            ("#o17", 15.0),
            ("#x-1F", -31.0),
            ("+inf.0", f64::INFINITY),
            ("#d10", 10.0),
            ("#x20000000000001", 9007199254740992.0),
            ("#x20000000000003", 9007199254740996.0),
            ("#x80000000000004000000000000000001", 170141183460469269510619166673045815297.0),
        ] {
            assert_eq!(parse(text), Some(real), "{text}");
        }
    }

    #[test]
    fn exponents_of_any_length_are_read() {
        let zeros = "0".repeat(700_000);
        assert_eq!(parse(&format!("1{zeros}e-700000")), Some(1.0));
        assert_eq!(parse(&format!("-.{zeros}1e700001")), Some(-1.0));
        assert_eq!(parse("1e99999999999999999999"), Some(f64::INFINITY));
        assert_eq!(parse("-1e-99999999999999999999").map(f64::to_bits), Some((-0.0_f64).to_bits()));
        assert_eq!(parse("0e99999999999999999999"), Some(0.0));
        assert_eq!(parse("-0.0").map(f64::to_bits), Some((-0.0_f64).to_bits()));
        assert_eq!(parse("179769313486231580793e289"), Some(f64::INFINITY));
        assert_eq!(parse("17976931348623157e292"), Some(f64::MAX));
    }

    #[test]
    fn other_texts_are_not() {
        for text in
            ["", ".", "1e", "1.2.3", "12abc", "#x", "#xZZ", "1/2", "inf", "nan", "infinity", "+", "-", "1_0", "e5"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn printing_is_shortest_and_reads_back() {
        for (real, text) in [
            (6.0, "6"),
            (0.1, "0.1"),
            (1e21, "1e+21"),
            (1e-7, "1e-7"),
            (-0.0, "-0"),
            (123456789012345680000.0, "123456789012345680000"),
            (5e-324, "5e-324"),
            (f64::NEG_INFINITY, "-inf.0"),
        ] {
            assert_eq!(format(real), text);
            assert_eq!(parse(text).map(f64::to_bits), Some(real.to_bits()));
        }
        assert_eq!(bits(0.1), "3fb999999999999a");
        assert_eq!(bits(-f64::NAN), "7ff8000000000000");
    }
}
