//! The standard output of a run, and the report of its end.
//!
//! Invariant: the end of a run is reported once (*concluded*), by any thread. Output that was printed before is not
//! lost: it is behind a lock, and the thread that concludes the run flushes it and closes it for the other threads. The
//! progress line is erased before anything else is reported, and is only drawn while no thread writes.

use super::bounded_writer::BoundedWriter;
use super::conclusion::{Conclusion, OutputLine};
use super::json;
use crate::process::exit::Exit;
use clap::ValueEnum;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};
use std::{mem, thread};
use vlad_engines::Engine;
use vlad_engines::agreement;
use vlad_shared::core::diagnostic::{Diagnostic, Kind};
use vlad_shared::core::render::{self, Style};
use vlad_shared::core::source::SourceMap;
use vlad_shared::core::{OutputNotation, Program};
use vlad_shared::runtime::primitives::apply::output_fault;
use vlad_shared::runtime::primitives::context::Fault;
use vlad_shared::runtime::run::Origin;
use vlad_shared::table::number::Notation;
use vlad_shared::values::print::{self, Layout};
use vlad_shared::values::{Value, literals};

/// The notation of what programs print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DataNotation {
    /// The notation of VLAD
    Vlad,
    /// The notation of the program's language: [| 1; 2 |] and (1, true) in F-smooth
    Own,
}

/// The form of the standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The output of the program, line by line.
    Text,
    /// One JSON object at the end.
    Json,
}

/// The longest wait for the output when a thread concludes the run on behalf of another one.
const SOON: Duration = Duration::from_millis(30);

/// The characters that erase the progress line on a terminal: return to its beginning, erase to its end.
const TAKE_AWAY: &str = "\r\x1b[K";

/// The destination of output.
enum Sink {
    Text(BoundedWriter<BufWriter<Stdout>>),
    Json(Vec<OutputLine>),
    /// The end has been reported; further output is dropped.
    Concluded,
}

/// The policy for flushing output.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flushing {
    /// After each line, since the output is a terminal.
    EachLine,
    /// If the buffer is full, before numbers are read, and at the end.
    Rarely,
}

/// The state of the progress line on the standard error.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    /// It is not shown.
    Hidden,
    /// It is shown.
    Shown,
    /// It must not be shown: the user may be typing.
    Held,
}

/// Erases the progress line. A failed write is ignored: then the terminal shows no such line either.
fn erase_line() {
    let _ = io::stderr().lock().write_all(TAKE_AWAY.as_bytes());
}

/// The outputs of one run.
pub struct Console {
    form: Form,
    /// The most bytes of output, and in `kept` the bytes of the lines that are kept for JSON.
    limit: Option<u64>,
    kept: AtomicU64,
    sink: Mutex<Sink>,
    flushing: Flushing,
    engines: Mutex<Vec<Engine>>,
    /// Changed only by the thread that holds `sink`, except by the end that is reported by force.
    line: Mutex<Line>,
    /// True once a thread has begun to report an error.
    is_heard: AtomicBool,
    notation: Notation,
    data: DataNotation,
    style: Style,
}

impl Console {
    /// The outputs of a run, or of a command without an engine; with at most `limit` bytes of output, if there is a
    /// limit.
    pub fn new(form: Form, notation: Notation, style: Style, limit: Option<u64>) -> Console {
        let sink = match form {
            Form::Text => Sink::Text(BoundedWriter::new(BufWriter::with_capacity(1 << 16, io::stdout()), limit)),
            Form::Json => Sink::Json(Vec::new()),
        };
        Console {
            form,
            limit,
            kept: AtomicU64::new(0),
            sink: Mutex::new(sink),
            flushing: if io::stdout().is_terminal() { Flushing::EachLine } else { Flushing::Rarely },
            engines: Mutex::default(),
            line: Mutex::new(Line::Hidden),
            is_heard: AtomicBool::new(false),
            notation,
            data: DataNotation::Vlad,
            style,
        }
    }

    /// The same, with data in a notation.
    pub fn with_data(self, data: DataNotation) -> Console {
        Console { data, ..self }
    }

    /// The outputs of a command that runs no program.
    pub fn plain() -> Console {
        Console::new(Form::Text, Notation::Shortest, Style::Plain, None)
    }

    /// Records the engines that run the program; the output of the first one is shown.
    pub fn set_engines(&self, engines: &[Engine]) {
        *self.engines.lock().unwrap_or_else(PoisonError::into_inner) = engines.to_vec();
    }

    fn engines(&self) -> Vec<Engine> {
        self.engines.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn lock(&self) -> MutexGuard<'_, Sink> {
        self.sink.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Prints a value and a newline.
    pub fn write_value(&self, program: &Program, value: &Value, origin: Origin) -> io::Result<()> {
        // The line for JSON is made before the output is locked: making it may exhaust memory, and the thread that
        // reports that needs the output.
        let kept = match self.form {
            Form::Text => Vec::new(),
            Form::Json => self.kept_line(program, value, origin)?,
        };
        match &mut *self.lock() {
            Sink::Text(out) => {
                if self.flushing == Flushing::EachLine {
                    self.hide_line();
                }
                self.write_line(out, program, value, origin)?;
                out.write_all(b"\n")?;
                if self.flushing == Flushing::EachLine { out.flush() } else { Ok(()) }
            }
            Sink::Json(lines) => {
                let text = String::from_utf8(kept)
                    .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
                lines.push(OutputLine { origin, text });
                Ok(())
            }
            Sink::Concluded => Ok(()),
        }
    }

    fn write_line(&self, out: &mut dyn Write, program: &Program, value: &Value, origin: Origin) -> io::Result<()> {
        match (self.data, program.output, origin.layout()) {
            (DataNotation::Own, OutputNotation::Arrays, Layout::Datum) => {
                literals::write_literal(out, program, value, self.notation)
            }
            (DataNotation::Vlad | DataNotation::Own, _, layout) => {
                print::write_line(out, program, value, layout, self.notation)
            }
        }
    }

    /// Returns a line for JSON, without the newline, which counts towards the limit nevertheless.
    fn kept_line(&self, program: &Program, value: &Value, origin: Origin) -> io::Result<Vec<u8>> {
        let before = self.kept.load(Ordering::Relaxed);
        let mut line = BoundedWriter::new(Vec::new(), self.limit.map(|limit| limit.saturating_sub(before)));
        self.write_line(&mut line, program, value, origin)?;
        line.write_all(b"\n")?;
        let mut line = line.into_inner();
        self.kept.store(before + line.len() as u64, Ordering::Relaxed);
        line.pop();
        Ok(line)
    }

    /// Returns true if a progress line can be shown: the standard error is a terminal that can erase a line, and the
    /// output is text.
    pub fn has_line(&self) -> bool {
        let dumb = || std::env::var_os("TERM").is_none_or(|terminal| terminal == "dumb");
        self.form == Form::Text && io::stderr().is_terminal() && !dumb()
    }

    /// Replaces the progress line on the standard error, unless another thread is writing or the user may be typing.
    /// Returns false if the end has been reported or the output is JSON.
    pub fn show_progress(&self, text: &str) -> bool {
        let sink = match self.sink.try_lock() {
            Ok(sink) => sink,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return true,
        };
        match *sink {
            Sink::Text(_) => {}
            Sink::Json(_) | Sink::Concluded => return false,
        }
        let mut line = self.line();
        if *line != Line::Held {
            *line = Line::Shown;
            let _ = write!(io::stderr().lock(), "{TAKE_AWAY}{text}");
        }
        true
    }

    /// Keeps the progress line hidden during `typing`.
    pub fn while_typing<T>(&self, typing: impl FnOnce() -> T) -> T {
        let hold = |held: Line| {
            let _sink = self.lock();
            self.set_line(held);
        };
        hold(Line::Held);
        let typed = typing();
        hold(Line::Hidden);
        typed
    }

    /// Erases the progress line, if it is shown.
    pub fn hide_line(&self) {
        let mut line = self.line();
        if *line == Line::Shown {
            *line = Line::Hidden;
            erase_line();
        }
    }

    /// Sets the state of the progress line and, under the same lock, erases the line if it was shown.
    fn set_line(&self, next: Line) {
        let mut line = self.line();
        if mem::replace(&mut *line, next) == Line::Shown {
            erase_line();
        }
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Prints a text as it is, and flushes the output; for commands that go on.
    pub fn write_text(&self, text: &str) -> io::Result<()> {
        match &mut *self.lock() {
            Sink::Text(out) => {
                out.write_all(text.as_bytes())?;
                out.flush()
            }
            Sink::Json(_) | Sink::Concluded => Ok(()),
        }
    }

    /// Flushes the output.
    pub fn flush(&self) -> io::Result<()> {
        match &mut *self.lock() {
            Sink::Text(out) => out.flush(),
            Sink::Json(_) | Sink::Concluded => Ok(()),
        }
    }

    /// Reports the end, and waits as long as writing takes.
    pub fn conclude(&self, conclusion: Conclusion<'_>) -> Exit {
        self.tell(&mut self.lock(), Ok(()), conclusion).unwrap_or(Exit::Failure)
    }

    /// Reports one error, which is about no text of a program.
    pub fn fail(&self, diagnostic: Diagnostic) -> Exit {
        self.conclude(Conclusion::new(&[diagnostic], &SourceMap::default(), None))
    }

    /// Prints a text as it is and concludes without diagnostics.
    pub fn conclude_with_text(&self, text: &str) -> Exit {
        self.conclude_with_bytes(text.as_bytes())
    }

    /// Prints bytes as they are and concludes without diagnostics.
    pub fn conclude_with_bytes(&self, bytes: &[u8]) -> Exit {
        let mut sink = self.lock();
        let written = match &mut *sink {
            Sink::Text(out) => out.write_all(bytes),
            Sink::Json(_) | Sink::Concluded => Ok(()),
        };
        let sources = SourceMap::default();
        let conclusion = Conclusion::new(&[], &sources, None);
        self.tell(&mut sink, written, conclusion).unwrap_or(Exit::Failure)
    }

    /// Locks the output if it is free within [`SOON`]: the thread that holds it may be waiting for a reader.
    fn lock_soon(&self) -> Option<MutexGuard<'_, Sink>> {
        let begun = Instant::now();
        loop {
            match self.sink.try_lock() {
                Ok(sink) => return Some(sink),
                Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) if begun.elapsed() < SOON => thread::sleep(SOON / 20),
                Err(TryLockError::WouldBlock) => return None,
            }
        }
    }

    /// Reports the end on behalf of another thread; if that thread holds the output, on the standard error alone.
    /// Returns none if the end has already been reported. May block on the reader.
    pub fn conclude_by_force(&self, diagnostic: &Diagnostic) -> Option<Exit> {
        let sources = SourceMap::default();
        let conclusion = Conclusion::new(std::slice::from_ref(diagnostic), &sources, None);
        match self.lock_soon() {
            Some(mut sink) => self.tell(&mut sink, Ok(()), conclusion),
            None => {
                self.complain_by_force(diagnostic);
                Some(Exit::Failure)
            }
        }
    }

    /// Reports an error on the standard error, unless a thread has begun to report one.
    pub fn complain_by_force(&self, diagnostic: &Diagnostic) {
        if !self.is_heard.swap(true, Ordering::SeqCst) {
            self.hide_line();
            let sources = SourceMap::default();
            self.report_errors(Conclusion::new(std::slice::from_ref(diagnostic), &sources, None));
        }
    }

    /// Flushes the output and hides the progress line for good, before a signal ends the process. May block on the
    /// reader.
    pub fn flush_before_exit(&self) {
        if let Some(mut sink) = self.lock_soon()
            && let Sink::Text(out) = &mut *sink
        {
            // Output that cannot be written now is lost.
            let _ = out.flush();
        }
        self.set_line(Line::Held);
    }

    /// Reports the end, unless it has been reported. `so_far` is the result of earlier writes.
    fn tell(&self, sink: &mut Sink, so_far: io::Result<()>, conclusion: Conclusion<'_>) -> Option<Exit> {
        self.hide_line();
        let written = match mem::replace(sink, Sink::Concluded) {
            Sink::Text(mut out) => {
                let flushed = out.flush();
                // Dropping a `BufWriter` would try again to write the buffer.
                let _ = out.into_inner().into_parts();
                if !self.is_heard.swap(true, Ordering::SeqCst) {
                    self.report_errors(conclusion);
                }
                flushed
            }
            Sink::Json(lines) => json::write(&lines, conclusion, &self.engines()),
            Sink::Concluded => return None,
        };
        let ending = conclusion.ending();
        let Err(error) = so_far.and(written) else { return Some(ending) };
        match output_fault(&error) {
            Fault::OutputClosed => Some(ending),
            Fault::RuntimeError(trouble) => {
                // A run that failed because of its output has reported that already.
                if conclusion.diagnostics.iter().all(|diagnostic| diagnostic.kind != Kind::Output) {
                    let diagnostic = Diagnostic::new(trouble.kind, None, trouble.message);
                    self.report_errors(Conclusion::new(&[diagnostic], &SourceMap::default(), None));
                }
                Some(Exit::Failure)
            }
        }
    }

    /// Writes diagnostics, disagreements and compiler errors to the standard error. A failed write is ignored: there is
    /// no other place to report it.
    fn report_errors(&self, conclusion: Conclusion<'_>) {
        let mut text = render::render(conclusion.diagnostics, conclusion.sources, self.style);
        text.push_str(&agreement::report(conclusion.disagreements));
        if let Some(error) = conclusion.compiler {
            text.push_str(&format!("error[compiler]: {error}\n"));
        }
        if !text.is_empty() {
            let _ = io::stderr().lock().write_all(text.as_bytes());
        }
    }
}
