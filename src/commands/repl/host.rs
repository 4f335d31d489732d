//! The host of an evaluation: numbers from the input of the session, output to the console, and its progress through
//! the items.

use super::input::SessionInput;
use crate::output::console::Console;
use std::io::{self, Sink};
use vlad_shared::core::{Item, Program};
use vlad_shared::runtime::run::{Host, InputFault, Origin, StreamHost};
use vlad_shared::table::number::Notation;
use vlad_shared::values::Value;

/// A host over the input and the console of a session.
pub struct SessionHost<'session> {
    console: &'session Console,
    numbers: StreamHost<&'session mut SessionInput, Sink>,
    /// The item that began last, and the steps taken before it.
    pub reached: (usize, u64),
}

impl<'session> SessionHost<'session> {
    /// A host for one evaluation.
    pub fn new(console: &'session Console, input: &'session mut SessionInput) -> SessionHost<'session> {
        SessionHost { console, numbers: StreamHost::new(input, io::sink(), Notation::Shortest), reached: (0, 0) }
    }
}

impl Host for SessionHost<'_> {
    fn read_real(&mut self) -> Result<f64, InputFault> {
        // What has been written may be a prompt. An output that fails now fails at the next line, too.
        let _ = self.console.flush();
        self.numbers.read_real()
    }

    fn write(&mut self, program: &Program, value: &Value, origin: Origin) -> io::Result<()> {
        self.console.write_value(program, value, origin)
    }

    fn begin_item(&mut self, number: usize, _: Item, steps: u64) {
        self.reached = (number, steps);
    }
}
