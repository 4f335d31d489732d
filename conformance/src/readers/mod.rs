//! What reads bytes that others wrote, and what holds of it whatever the bytes are.
//!
//! Invariant: a property is a function from bytes to what is wrong; it never panics by itself, ends on all bytes, and reads
//! nothing but them. Coverage-guided fuzzing (`conformance/fuzz`) and the test of mutated seeds check the same properties.

mod files;
mod texts;

pub mod mutate;

/// A reader with what holds of it.
#[derive(Clone, Copy)]
pub struct Reader {
    /// Its name, which is that of its fuzz target.
    pub name: &'static str,
    /// Says what is wrong with what it made of bytes, if anything is.
    pub property: fn(&[u8]) -> Result<(), String>,
    /// Bytes that are what it reads, to begin with.
    pub seeds: fn() -> Result<Vec<Vec<u8>>, String>,
}

/// The lexer: tokens are those of the text, in order, and the same when they are read again.
pub const LEXER: Reader = Reader { name: "lexer", property: texts::lexer, seeds: texts::programs };

/// The front end: core is sound, errors can be shown, the surface tree reads back as it is printed.
pub const PARSER: Reader = Reader { name: "parser", property: texts::parser, seeds: texts::programs };

/// Numbers of programs and of the input: the nearest double, which reads back as it is printed.
pub const NUMBERS: Reader = Reader { name: "numbers", property: texts::numbers, seeds: texts::numerals };

/// Capsule files: refused, or a run that is written as it was read.
pub const CAPSULES: Reader = Reader { name: "capsules", property: files::capsules, seeds: files::suspended_runs };

/// Entries of the cache: refused unless they are what was stored.
pub const CACHE: Reader = Reader { name: "cache", property: files::cache, seeds: files::objects };

/// All of them.
pub const READERS: [Reader; 5] = [LEXER, PARSER, NUMBERS, CAPSULES, CACHE];

/// Fails with a message unless a condition holds.
fn ensure(holds: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(message()) }
}
