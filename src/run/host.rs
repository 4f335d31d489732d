//! The host of a run of the command: numbers from the standard input, output to the console.

use super::profile::Recorder;
use crate::options::program::NumberSource;
use crate::output::console::Console;
use crate::output::progress::Progress;
use std::io::{self, BufRead, IsTerminal, Sink};
use vlad_shared::core::{InputNotation, Program};
use vlad_shared::runtime::event::Event;
use vlad_shared::runtime::run::{Host, InputFault, Origin, StreamHost};
use vlad_shared::table::number::Notation;
use vlad_shared::values::Value;

/// The receivers of the events of operators.
#[derive(Default)]
pub struct Listeners {
    /// The recorder of a profile.
    pub recorder: Option<Recorder>,
    /// The progress line.
    pub progress: Option<Progress>,
}

/// A host over the process's standard input and a console.
pub struct CommandHost<'console> {
    console: &'console Console,
    numbers: StreamHost<Box<dyn BufRead>, Sink>,
    /// True if the user types the numbers.
    is_typed: bool,
    listeners: Listeners,
}

impl<'console> CommandHost<'console> {
    /// A host that reads numbers from `source` in a notation, and passes the events of operators to `listeners`.
    pub fn new(console: &'console Console, source: NumberSource, reading: InputNotation, listeners: Listeners) -> Self {
        let input: Box<dyn BufRead> = match source {
            NumberSource::StandardInput => Box::new(io::stdin().lock()),
            NumberSource::Nowhere => Box::new(io::empty()),
        };
        let is_typed = source == NumberSource::StandardInput && io::stdin().is_terminal();
        let numbers = StreamHost::new(input, io::sink(), Notation::Shortest).reading(reading);
        CommandHost { console, numbers, is_typed, listeners }
    }

    /// Returns the listeners, with what they have recorded.
    pub fn into_listeners(self) -> Listeners {
        self.listeners
    }
}

impl Host for CommandHost<'_> {
    fn read_real(&mut self) -> Result<f64, InputFault> {
        // The output may be a prompt. If it cannot be written now, neither can it at the end, where the error is
        // reported.
        let _ = self.console.flush();
        if self.is_typed { self.console.while_typing(|| self.numbers.read_real()) } else { self.numbers.read_real() }
    }

    fn is_input_over(&mut self) -> Result<bool, InputFault> {
        let _ = self.console.flush();
        if self.is_typed {
            self.console.while_typing(|| self.numbers.is_input_over())
        } else {
            self.numbers.is_input_over()
        }
    }

    fn write(&mut self, program: &Program, value: &Value, origin: Origin) -> io::Result<()> {
        self.console.write_value(program, value, origin)
    }

    fn observes(&self) -> bool {
        self.listeners.recorder.is_some() || self.listeners.progress.is_some()
    }

    fn observe(&mut self, event: Event) {
        if let Some(recorder) = &mut self.listeners.recorder {
            recorder.note(event);
        }
        if let Some(progress) = &mut self.listeners.progress {
            progress.note(event);
        }
    }
}
