//! The surroundings that the command gives to a run: numbers from the standard input, output to the console.

use crate::arguments::NumberSource;
use crate::console::Console;
use crate::profile::Recorder;
use crate::progress::Progress;
use std::io::{self, BufRead, IsTerminal, Sink};
use vlad_shared::core::Program;
use vlad_shared::effects::Event;
use vlad_shared::print::Notation;
use vlad_shared::run::{Host, InputFault, Origin, StreamHost};
use vlad_shared::value::Value;

/// Who is told what operators do.
#[derive(Default)]
pub struct Listeners {
    /// For a profile.
    pub recorder: Option<Recorder>,
    /// For a line of progress.
    pub progress: Option<Progress>,
}

/// A host over the process's own input and a console.
pub struct CommandHost<'console> {
    console: &'console Console,
    numbers: StreamHost<Box<dyn BufRead>, Sink>,
    /// Whether somebody types the numbers.
    is_typed: bool,
    listeners: Listeners,
}

impl<'console> CommandHost<'console> {
    /// A host that reads from the source given, and hands on what operators tell.
    pub fn new(console: &'console Console, source: NumberSource, listeners: Listeners) -> Self {
        let input: Box<dyn BufRead> = match source {
            NumberSource::StandardInput => Box::new(io::stdin().lock()),
            NumberSource::Nowhere => Box::new(io::empty()),
        };
        let is_typed = source == NumberSource::StandardInput && io::stdin().is_terminal();
        CommandHost { console, numbers: StreamHost::new(input, io::sink(), Notation::Shortest), is_typed, listeners }
    }

    /// Those who were told, with what they noted.
    pub fn into_listeners(self) -> Listeners {
        self.listeners
    }
}

impl Host for CommandHost<'_> {
    fn read_real(&mut self) -> Result<f64, InputFault> {
        // What was printed may be a prompt. If it cannot be written now, it cannot at the end, which reports it.
        let _ = self.console.flush();
        if self.is_typed { self.console.while_typing(|| self.numbers.read_real()) } else { self.numbers.read_real() }
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
