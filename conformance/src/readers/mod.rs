//! Readers of untrusted bytes, with properties that hold for all inputs.
//!
//! Invariant: a property is a function from bytes to a fault, if there is one; it does not panic by itself, terminates
//! on all bytes, and reads nothing else. Coverage-guided fuzzing (`conformance/fuzz`) and the test of mutated seeds
//! check the same properties.

mod condition;
mod files;
mod texts;

pub mod mutate;

/// A reader with its property.
#[derive(Clone, Copy)]
pub struct Reader {
    /// Its name, which is that of its fuzz target.
    pub name: &'static str,
    /// Checks the results of the reader on the bytes; returns a message if they are wrong.
    pub property: fn(&[u8]) -> Result<(), String>,
    /// Valid inputs to begin with.
    pub seeds: fn() -> Result<Vec<Vec<u8>>, String>,
}

/// The lexer: tokens are those of the text, in order, and the same when they are read again.
pub const LEXER: Reader = Reader { name: "lexer", property: texts::lexer, seeds: texts::programs };

/// The front end: core is sound, errors can be shown, the printed surface tree reads back as the same tree.
pub const PARSER: Reader = Reader { name: "parser", property: texts::parser, seeds: texts::programs };

/// Numbers of programs and of the input: the nearest double, which prints and reads back as the same.
pub const NUMBERS: Reader = Reader { name: "numbers", property: texts::numbers, seeds: texts::numerals };

/// Capsule files: refused, or a run that is written again as it was read.
pub const CAPSULES: Reader = Reader { name: "capsules", property: files::capsules, seeds: files::suspended_runs };

/// Entries of the cache: refused unless they are as stored.
pub const CACHE: Reader = Reader { name: "cache", property: files::cache, seeds: files::objects };

/// All readers.
pub const READERS: [Reader; 5] = [LEXER, PARSER, NUMBERS, CAPSULES, CACHE];
