//! Large programs: shapes that a program can have in any size, for measurements and for tests of how work grows.
//!
//! Invariant: the text of a shape is about proportional to the size that it is asked for, and what it prints is known from
//! the size alone.

mod broken;
mod sound;

pub use broken::BROKEN;
pub use sound::SOUND;

/// A shape of programs.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// What it is.
    pub name: &'static str,
    /// The program of a size, which is at least 2.
    pub text: fn(usize) -> String,
    /// The last line that it prints; nothing of a program that is none.
    pub prints: fn(usize) -> String,
}

/// Something nested in itself so many times.
fn nested(times: usize, opening: &str, inside: &str, closing: &str) -> String {
    format!("{}{inside}{}", opening.repeat(times), closing.repeat(times))
}

/// What a function gives for all numbers below a size, one after the other.
fn each(size: usize, text: impl Fn(usize) -> String) -> String {
    (0..size).map(text).collect()
}
