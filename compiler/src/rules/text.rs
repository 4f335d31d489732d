//! Lines and constants of C text.

use std::fmt::Write;
use vlad_table::internal_bug;

/// Appends a line.
pub(super) fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    if out.write_fmt(text).is_err() || out.write_char('\n').is_err() {
        internal_bug!("a string takes any text");
    }
}

/// Returns a C constant with the same bits as a double.
pub(super) fn real_constant(x: f64) -> String {
    if x.is_nan() {
        "((double)NAN)".to_owned()
    } else if x.is_infinite() {
        if x > 0.0 { "HUGE_VAL".to_owned() } else { "(-HUGE_VAL)".to_owned() }
    } else if x.is_sign_negative() {
        format!("({x:?})")
    } else {
        format!("{x:?}")
    }
}
