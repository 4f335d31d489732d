//! The texts of numbers.

use super::{TypeId, Types};

/// Returns the text of a number, as an atom: one of kind D has a point or an exponent, so that it reads back as one.
pub(super) fn text(value: f64, type_id: TypeId) -> String {
    let magnitude = value.abs();
    let text = if value.is_nan() {
        "(0.0 / 0.0)".to_owned()
    } else if magnitude.is_infinite() {
        "(1.0 / 0.0)".to_owned()
    } else if type_id == Types::INDEX {
        format!("{magnitude}")
    } else if magnitude != 0.0 && !(1e-5..1e16).contains(&magnitude) {
        format!("{magnitude:e}")
    } else {
        format!("{magnitude:?}")
    };
    if value.is_sign_negative() && !value.is_nan() { format!("(-{text})") } else { text }
}
