//! The host of a run of the matrix: what the program writes is kept in both notations.

use std::io::{self, Sink};
use vlad_engines::several_engines::text;
use vlad_shared::core::Program;
use vlad_shared::runtime::run::{Host, InputFault, Origin, StreamHost};
use vlad_shared::table::number::Notation;
use vlad_shared::values::Value;
use vlad_shared::values::print::Layout;

/// The greatest size in bytes of what a run's recorded output takes: it is memory that later runs lack.
pub(super) const MOST_RECORDED: usize = 32 << 20;

/// A host that keeps each line both as users see it and with its bits.
pub(super) struct Recorder<'input> {
    numbers: StreamHost<&'input [u8], Sink>,
    /// The lines as users see them.
    pub(super) shortest: Vec<String>,
    /// The lines with the bits of reals.
    pub(super) with_bits: Vec<String>,
    /// The number of bytes that may still be kept; none once there were more.
    pub(super) room: Option<usize>,
}

impl<'input> Recorder<'input> {
    /// A host that has kept nothing yet, and reads numbers from another one.
    pub(super) fn new(numbers: StreamHost<&'input [u8], Sink>) -> Recorder<'input> {
        Recorder { numbers, shortest: Vec::new(), with_bits: Vec::new(), room: Some(MOST_RECORDED) }
    }

    /// Returns a value as a line that is kept.
    fn line(&mut self, program: &Program, value: &Value, layout: Layout, notation: Notation) -> io::Result<String> {
        let line = text(program, value, layout, notation)?;
        self.room = self.room.and_then(|room| room.checked_sub(line.len() + size_of::<String>()));
        if self.room.is_none() {
            return Err(io::Error::other("too much is written"));
        }
        Ok(line)
    }
}

impl Host for Recorder<'_> {
    fn read_real(&mut self) -> Result<f64, InputFault> {
        self.numbers.read_real()
    }

    fn is_input_over(&mut self) -> Result<bool, InputFault> {
        self.numbers.is_input_over()
    }

    fn write(&mut self, program: &Program, value: &Value, origin: Origin) -> io::Result<()> {
        let shortest = self.line(program, value, origin.layout(), Notation::Shortest)?;
        let with_bits = self.line(program, value, origin.layout(), Notation::WithBits)?;
        self.shortest.push(shortest);
        self.with_bits.push(with_bits);
        Ok(())
    }
}
