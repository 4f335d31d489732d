//! The surroundings that the command gives to a run: numbers from the standard input, output to the console.

use crate::arguments::NumberSource;
use crate::console::Console;
use std::io::{self, BufRead, Sink};
use vlad_shared::core::Program;
use vlad_shared::print::Notation;
use vlad_shared::run::{Host, InputFault, Origin, StreamHost};
use vlad_shared::value::Value;

/// A host over the process's own input and a console.
pub struct CommandHost<'console> {
    console: &'console Console,
    numbers: StreamHost<Box<dyn BufRead>, Sink>,
}

impl<'console> CommandHost<'console> {
    /// A host that reads from the source given.
    pub fn new(console: &'console Console, source: NumberSource) -> Self {
        let input: Box<dyn BufRead> = match source {
            NumberSource::StandardInput => Box::new(io::stdin().lock()),
            NumberSource::Nowhere => Box::new(io::empty()),
        };
        CommandHost { console, numbers: StreamHost::new(input, io::sink(), Notation::Shortest) }
    }
}

impl Host for CommandHost<'_> {
    fn read_real(&mut self) -> Result<f64, InputFault> {
        // What was printed may be a prompt. If it cannot be written now, it cannot at the end, which reports it.
        let _ = self.console.flush();
        self.numbers.read_real()
    }

    fn write(&mut self, program: &Program, value: &Value, origin: Origin) -> io::Result<()> {
        self.console.write_value(program, value, origin)
    }
}
