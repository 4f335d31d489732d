//! Large programs: families of programs of any size, for measurements and for tests of how work grows.
//!
//! Invariant: the length of a text is about proportional to the requested size, and its output is known from the size
//! alone.

mod broken;
mod sound;

pub use broken::BROKEN;
pub use sound::SOUND;

/// A family of programs, one for each size.
#[derive(Clone, Copy, Debug)]
pub struct ProgramFamily {
    /// Its description.
    pub name: &'static str,
    /// Returns the program of a size, which is at least 2.
    pub text: fn(usize) -> String,
    /// Returns the last line of its output; the empty text for an invalid program.
    pub prints: fn(usize) -> String,
}

/// A text nested in itself so many times.
fn nested(times: usize, opening: &str, inside: &str, closing: &str) -> String {
    format!("{}{inside}{}", opening.repeat(times), closing.repeat(times))
}

/// The results of a function for all numbers below a size, one after the other.
fn each(size: usize, text: impl Fn(usize) -> String) -> String {
    (0..size).map(text).collect()
}
