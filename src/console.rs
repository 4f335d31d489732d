//! The standard output and the last words: what a run prints, and how its end is told.
//!
//! Invariant: a run is concluded once. Output that was printed before the end is never lost, whichever thread tells
//! the end: the output stands behind a lock, and whoever concludes keeps what was printed and closes it for others. A line
//! of progress is taken away before anything else is told, and is only put there while nobody writes.

use crate::bounded::Bounded;
use crate::ending::Ending;
use crate::json;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::mem;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};
use vlad_compiler::toolchain::ToolchainError;
use vlad_conformance::agreement::{self, Disagreement};
use vlad_conformance::engine::Engine;
use vlad_shared::apply::{Fault, output_fault};
use vlad_shared::core::Program;
use vlad_shared::diagnostic::{Diagnostic, Kind, Severity};
use vlad_shared::print::{self, Notation};
use vlad_shared::render::{self, Style};
use vlad_shared::run::Origin;
use vlad_shared::source::SourceMap;
use vlad_shared::value::Value;

/// What is printed on the standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The output of the program, line by line.
    Text,
    /// One JSON object at the end.
    Json,
}

/// How long the output is waited for on behalf of somebody else.
const SOON: Duration = Duration::from_millis(30);

/// What takes the line of progress away on a terminal: to its beginning, and erase it.
const TAKE_AWAY: &str = "\r\x1b[K";

/// A line of the program's output, kept for JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputLine {
    /// Where it comes from.
    pub origin: Origin,
    /// What it says.
    pub text: String,
}

/// Where output goes.
enum Sink {
    Text(Bounded<BufWriter<Stdout>>),
    Json(Vec<OutputLine>),
    /// The end has been told.
    Concluded,
}

/// When what was printed is handed on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flushing {
    /// After each line, since someone is looking.
    EachLine,
    /// When the buffer is full, before numbers are read, and at the end.
    Rarely,
}

/// The line of progress on the standard error.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    /// It is not there.
    Hidden,
    /// It is there.
    Shown,
    /// It must not be there: somebody may be typing.
    Held,
}

/// Erases the line of progress. A terminal that takes nothing shows nothing.
fn take_away() {
    let _ = io::stderr().lock().write_all(TAKE_AWAY.as_bytes());
}

/// The outputs of one run.
pub struct Console {
    form: Form,
    /// The most bytes of output, and how many of them lines have that are kept.
    limit: Option<u64>,
    kept: AtomicU64,
    sink: Mutex<Sink>,
    flushing: Flushing,
    engines: Mutex<Vec<Engine>>,
    /// Changed only by whoever has the sink, but for the end that is told by force.
    line: Mutex<Line>,
    /// Whether somebody has begun to say what is wrong.
    is_heard: AtomicBool,
    notation: Notation,
    style: Style,
}

/// How a run ended.
#[derive(Clone, Copy)]
pub struct Conclusion<'run> {
    /// What was wrong.
    pub diagnostics: &'run [Diagnostic],
    /// The texts that the diagnostics refer to.
    pub sources: &'run SourceMap,
    /// How many steps were taken, if that is known.
    pub steps: Option<u64>,
    /// In what engines differ.
    pub disagreements: &'run [Disagreement],
    /// Why the program could not be compiled.
    pub compiler: Option<&'run ToolchainError>,
    /// What operators took, for JSON.
    pub profile: Option<&'run serde_json::Value>,
    /// What becomes of warnings.
    pub warnings: Warnings,
}

/// What becomes of warnings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Warnings {
    /// They are told.
    Allowed,
    /// They are told, and are failures.
    Denied,
}

impl<'run> Conclusion<'run> {
    /// The end of what one engine did, or none.
    pub fn new(diagnostics: &'run [Diagnostic], sources: &'run SourceMap, steps: Option<u64>) -> Conclusion<'run> {
        Conclusion {
            diagnostics,
            sources,
            steps,
            disagreements: &[],
            compiler: None,
            profile: None,
            warnings: Warnings::Allowed,
        }
    }

    /// Whether something is wrong, if it is only a warning where these are denied.
    pub fn is_failed(&self) -> bool {
        let fails = |diagnostic: &Diagnostic| match (diagnostic.kind.severity(), self.warnings) {
            (Severity::Error, _) | (Severity::Warning, Warnings::Denied) => true,
            (Severity::Warning, Warnings::Allowed) => false,
        };
        self.compiler.is_some() || self.diagnostics.iter().any(fails)
    }

    fn ending(&self) -> Ending {
        if self.compiler.is_some() {
            Ending::NoCompiler
        } else if !self.disagreements.is_empty() {
            Ending::Disagreement
        } else if self.is_failed() {
            Ending::Failure
        } else {
            Ending::Success
        }
    }
}

impl Console {
    /// The outputs of a run, or of something that no engine does; with so many bytes of output at most, if that is limited.
    pub fn new(form: Form, notation: Notation, style: Style, limit: Option<u64>) -> Console {
        let sink = match form {
            Form::Text => Sink::Text(Bounded::new(BufWriter::with_capacity(1 << 16, io::stdout()), limit)),
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
            style,
        }
    }

    /// Notes which engines run the program, the one whose output is shown first.
    pub fn set_engines(&self, engines: &[Engine]) {
        *self.engines.lock().unwrap_or_else(PoisonError::into_inner) = engines.to_vec();
    }

    fn engines(&self) -> Vec<Engine> {
        self.engines.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn lock(&self) -> MutexGuard<'_, Sink> {
        self.sink.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Prints a value and a line end.
    pub fn write_value(&self, program: &Program, value: &Value, origin: Origin) -> io::Result<()> {
        // A line that is kept is made before the output is locked: it may take more memory than there is, and whoever
        // tells that needs the output.
        let kept = match self.form {
            Form::Text => Vec::new(),
            Form::Json => self.kept_line(program, value)?,
        };
        match &mut *self.lock() {
            Sink::Text(out) => {
                if self.flushing == Flushing::EachLine {
                    self.hide_line();
                }
                print::write_value(out, program, value, self.notation)?;
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

    /// A line that is kept, without its end, which counts all the same.
    fn kept_line(&self, program: &Program, value: &Value) -> io::Result<Vec<u8>> {
        let before = self.kept.load(Ordering::Relaxed);
        let mut line = Bounded::new(Vec::new(), self.limit.map(|limit| limit.saturating_sub(before)));
        print::write_value(&mut line, program, value, self.notation)?;
        line.write_all(b"\n")?;
        let mut line = line.into_inner();
        self.kept.store(before + line.len() as u64, Ordering::Relaxed);
        line.pop();
        Ok(line)
    }

    /// Whether a line of progress can be shown.
    pub fn has_line(&self) -> bool {
        let dumb = || std::env::var_os("TERM").is_none_or(|terminal| terminal == "dumb");
        self.form == Form::Text && io::stderr().is_terminal() && !dumb()
    }

    /// Puts a line of progress on the standard error in the place of the one before, unless somebody is writing or typing.
    /// False if the end has been told.
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

    /// Keeps the line of progress away while somebody may be typing.
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

    /// Takes the line of progress away if it is there.
    pub fn hide_line(&self) {
        let mut line = self.line();
        if *line == Line::Shown {
            *line = Line::Hidden;
            take_away();
        }
    }

    /// Takes the line of progress away if it is there, and decides at the same moment what becomes of it.
    fn set_line(&self, next: Line) {
        let mut line = self.line();
        if mem::replace(&mut *line, next) == Line::Shown {
            take_away();
        }
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands on what was printed.
    pub fn flush(&self) -> io::Result<()> {
        match &mut *self.lock() {
            Sink::Text(out) => out.flush(),
            Sink::Json(_) | Sink::Concluded => Ok(()),
        }
    }

    /// Tells the end, waiting for as long as it takes to write it.
    pub fn conclude(&self, conclusion: Conclusion<'_>) -> Ending {
        self.tell(&mut self.lock(), Ok(()), conclusion).unwrap_or(Ending::Failure)
    }

    /// Prints a text as it is; that is all there is to tell.
    pub fn conclude_with_text(&self, text: &str) -> Ending {
        self.conclude_with_bytes(text.as_bytes())
    }

    /// Prints bytes as they are; that is all there is to tell.
    pub fn conclude_with_bytes(&self, bytes: &[u8]) -> Ending {
        let mut sink = self.lock();
        let written = match &mut *sink {
            Sink::Text(out) => out.write_all(bytes),
            Sink::Json(_) | Sink::Concluded => Ok(()),
        };
        let sources = SourceMap::default();
        let conclusion = Conclusion::new(&[], &sources, None);
        self.tell(&mut sink, written, conclusion).unwrap_or(Ending::Failure)
    }

    /// The output, if it is free or becomes so soon: another thread may have it and wait for someone to read.
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

    /// Tells the end on behalf of another thread; if that has the output, on the standard error alone. None if the end has
    /// been told. It may wait for whoever reads.
    pub fn conclude_by_force(&self, diagnostic: &Diagnostic) -> Option<Ending> {
        let sources = SourceMap::default();
        let conclusion = Conclusion::new(std::slice::from_ref(diagnostic), &sources, None);
        match self.lock_soon() {
            Some(mut sink) => self.tell(&mut sink, Ok(()), conclusion),
            None => {
                self.complain_by_force(diagnostic);
                Some(Ending::Failure)
            }
        }
    }

    /// Says what is wrong on the standard error, unless somebody has begun to.
    pub fn complain_by_force(&self, diagnostic: &Diagnostic) {
        if !self.is_heard.swap(true, Ordering::SeqCst) {
            self.hide_line();
            let sources = SourceMap::default();
            self.complain(Conclusion::new(std::slice::from_ref(diagnostic), &sources, None));
        }
    }

    /// Hands on what was printed, and takes the line of progress away for good, before the process is ended from outside. It
    /// may wait for whoever reads.
    pub fn hand_on(&self) {
        if let Some(mut sink) = self.lock_soon()
            && let Sink::Text(out) = &mut *sink
        {
            // What cannot be written now is lost.
            let _ = out.flush();
        }
        self.set_line(Line::Held);
    }

    /// Tells the end, unless it has been told. `so_far` is what came of writing before.
    fn tell(&self, sink: &mut Sink, so_far: io::Result<()>, conclusion: Conclusion<'_>) -> Option<Ending> {
        self.hide_line();
        let written = match mem::replace(sink, Sink::Concluded) {
            Sink::Text(mut out) => {
                let flushed = out.flush();
                // A buffer that cannot be written would be tried again when it is dropped.
                let _ = out.into_inner().into_parts();
                if !self.is_heard.swap(true, Ordering::SeqCst) {
                    self.complain(conclusion);
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
            Fault::Trouble(trouble) => {
                // A run that failed for its output has said so.
                if conclusion.diagnostics.iter().all(|diagnostic| diagnostic.kind != Kind::Output) {
                    let diagnostic = Diagnostic::new(trouble.kind, None, trouble.message);
                    self.complain(Conclusion::new(&[diagnostic], &SourceMap::default(), None));
                }
                Some(Ending::Failure)
            }
        }
    }

    /// Writes what is wrong to the standard error. If nobody can hear it, there is nobody left to tell.
    fn complain(&self, conclusion: Conclusion<'_>) {
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
