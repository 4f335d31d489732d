//! The cells of tables: numbers, and what stands where one is expected.

use crate::json_text::not_finite;

/// The marks that programs write for a number that is missing.
const MISSING: [&str; 13] = ["", "NA", "na", "N/A", "n/a", "#N/A", "<NA>", "null", "NULL", "None", "-", "?", "."];

/// The errors that spreadsheets write into cells; lines that begin with one are no comments.
pub(crate) const ERRORS: [&str; 7] = ["#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NUM!", "#NAME?", "#NULL!"];

/// The content of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell {
    Number(f64),
    /// Nothing, or a mark for that.
    Missing,
    /// The begin of a number and something else, as in a date or a number with a comma.
    HalfNumber,
    Word,
}

impl Cell {
    pub(crate) fn of(cell: &[u8]) -> Cell {
        let Ok(text) = std::str::from_utf8(cell).map(str::trim) else { return Cell::Word };
        // Rust's notation is that of other programs: 1, -1.5, .5, 1e-3, inf, NaN. It rounds correctly.
        if let Some(number) = not_finite(text).or_else(|| text.parse().ok()) {
            return Cell::Number(number);
        }
        let digits = text.trim_start_matches(['+', '-', '.', ',']);
        if MISSING.contains(&text) {
            Cell::Missing
        } else if digits.starts_with(|character: char| character.is_ascii_digit()) || ERRORS.contains(&text) {
            Cell::HalfNumber
        } else {
            Cell::Word
        }
    }
}
