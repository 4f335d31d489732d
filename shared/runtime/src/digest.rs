//! Digests of effects: a repeated execution is compared with the first one by a hash, so that output need not be kept.

use crate::run::Origin;
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Write};
use vlad_core::Program;
use vlad_table::number::{Notation, canonical_bits};
use vlad_values::Value;
use vlad_values::print::{self, Layout};

/// A running hash of everything read and written.
#[derive(Clone, Debug, Default)]
pub struct Digest(DefaultHasher);

impl Digest {
    /// Adds a number that was read.
    pub fn read(&mut self, real: f64) {
        self.0.write_u8(0);
        self.0.write_u64(canonical_bits(real));
    }

    /// Adds a line that was written.
    pub fn written(&mut self, program: &Program, value: &Value, origin: Origin) {
        self.0.write_u8(match origin {
            Origin::Result => 1,
            Origin::Written(Layout::Datum) => 2,
            Origin::Written(Layout::Row) => 3,
            Origin::Written(Layout::Text) => 4,
        });
        match value.base() {
            // The bits of a real determine its digits, and need no printing.
            Some(real) => self.0.write_u64(canonical_bits(real)),
            None => {
                // Writing to a hasher does not fail.
                let _ =
                    print::write_line(&mut Hashing(&mut self.0), program, value, origin.layout(), Notation::WithBits);
            }
        }
    }

    /// The hash of the effects so far.
    pub fn value(&self) -> u64 {
        self.0.finish()
    }
}

/// A hasher as an output for printing.
struct Hashing<'digest>(&'digest mut DefaultHasher);

impl Write for Hashing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
