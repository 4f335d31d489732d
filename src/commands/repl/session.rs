//! The session of `vlad repl`: takes inputs and commands, and reports their results.

use super::arguments::{ENGINES, ReplArguments};
use super::background::SessionCompiler;
use super::commands::{self, Request};
use super::completion::Completions;
use super::evaluation::{Circumstances, Evaluation, Trouble};
use super::input::SessionInput;
use super::inspections::Inspection;
use super::lines::{NextInput, is_command, next_input};
use crate::options::engine::EngineChoice;
use crate::options::limits::Trust;
use crate::output::console::Console;
use crate::process::interruption::Interruption;
use crate::run::engines::CompilationLimits;
use crate::run::watchdog::Watchdog;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use vlad_engines::Engine;
use vlad_shared::core::diagnostic::{Diagnostic, Failure, Kind};
use vlad_shared::core::render;
use vlad_shared::core::source::{SourceMap, Span};
use vlad_shared::frontend::languages::Languages;
use vlad_shared::frontend::load::session::{Session, only_lacks_names};
use vlad_shared::frontend::load::{Input, Options};
use vlad_shared::language::Language;
use vlad_shared::runtime::run::Limits;

/// The state of the session after an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The session goes on.
    Going,
    /// The session ends.
    Ended,
}

/// The report on an evaluation beside its output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Telling {
    /// Nothing.
    Nothing,
    /// Its time.
    Time,
    /// Its steps.
    Steps,
}

/// An input that waits for names; it has a name of its own.
#[derive(Clone)]
struct Waiting {
    name: String,
    input: Input,
}

/// A session.
pub struct ReplSession<'run> {
    arguments: &'run ReplArguments,
    languages: Languages,
    options: Options,
    console: &'run Console,
    evaluation: Evaluation,
    limits: Limits,
    watchdog: &'run Watchdog,
    interruption: Option<Arc<Interruption>>,
    input: SessionInput,
    engine: EngineChoice,
    compiler: SessionCompiler,
    /// The files that were loaded, in order.
    loaded: Vec<PathBuf>,
    /// The number of inputs so far.
    inputs: usize,
    /// Inputs of procedures that refer to names which are not defined yet.
    waiting: Vec<Waiting>,
    has_failed: bool,
}

impl<'run> ReplSession<'run> {
    /// A session that has no definitions.
    pub fn new(
        arguments: &'run ReplArguments,
        languages: Languages,
        limits: Limits,
        console: &'run Console,
        watchdog: &'run Watchdog,
        interruption: Option<Arc<Interruption>>,
        input: SessionInput,
    ) -> ReplSession<'run> {
        let options = arguments.reading.options(languages);
        let evaluation = Evaluation::new(Session::new(options.clone()));
        ReplSession {
            arguments,
            languages,
            options,
            console,
            evaluation,
            limits,
            watchdog,
            interruption,
            input,
            engine: arguments.engine.engine,
            compiler: SessionCompiler::default(),
            loaded: Vec::new(),
            inputs: 0,
            waiting: Vec::new(),
            has_failed: false,
        }
    }

    /// The language of inputs.
    pub fn language(&self) -> &'static dyn Language {
        self.options.language.unwrap_or(self.languages.first())
    }

    /// Returns true if an input has failed.
    pub fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// Returns the next input from the standard input, which is no terminal.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn next_line(&mut self) -> io::Result<NextInput> {
        next_input(&mut self.input, self.options.language.unwrap_or(self.languages.first()))
    }

    /// The names that can be completed.
    pub fn completions(&self) -> Completions {
        Completions { names: self.evaluation.session().meaningful_names() }
    }

    /// Takes an input or a command.
    pub fn take(&mut self, text: &str) -> Verdict {
        if !is_command(text) {
            let input = self.typed(text);
            return self.evaluate(input, Telling::Nothing);
        }
        match commands::parse(text) {
            Ok(request) => self.carry_out(request),
            Err(message) => self.refuse(&message),
        }
    }

    /// Returns the means for a look at the definitions.
    fn inspection(&mut self) -> Inspection<'_> {
        let expression = self.next_name();
        Inspection {
            evaluation: &self.evaluation,
            options: &self.options,
            languages: self.languages,
            compiler: &self.arguments.engine.compiler,
            limits: Limits { begun: Some(Instant::now()), ..self.limits },
            folder: self.folder(),
            expression,
        }
    }

    /// The folder from which inputs include files.
    fn folder(&self) -> Option<PathBuf> {
        match self.arguments.reading.trust() {
            Trust::Trusted => Some(PathBuf::new()),
            Trust::Sandboxed => None,
        }
    }

    /// The name of the next input.
    fn next_name(&mut self) -> String {
        self.inputs += 1;
        format!("<input {}>", self.inputs)
    }

    /// Evaluates the definitions of data files, with which the session begins.
    ///
    /// # Errors
    /// A file cannot be read, or has no such data.
    pub fn load_data(&mut self) -> Result<(), Failure> {
        if self.options.data.is_empty() {
            return Ok(());
        }
        let nothing = self.typed("");
        self.evaluation.check(std::slice::from_ref(&nothing))?;
        self.evaluate(nothing, Telling::Nothing);
        Ok(())
    }

    /// Evaluates a file.
    pub fn load(&mut self, file: &Path) -> Verdict {
        self.loaded.retain(|loaded| loaded != file);
        self.loaded.push(file.to_owned());
        self.evaluation.forget_files();
        self.evaluate(Input::Path(file.to_owned()), Telling::Nothing)
    }

    /// The text of an input as one that the front end reads.
    fn typed(&mut self, text: &str) -> Input {
        Input::Text { name: self.next_name(), bytes: text.as_bytes().to_vec(), folder: self.folder() }
    }

    fn carry_out(&mut self, request: Request) -> Verdict {
        match request {
            Request::Load(_) | Request::Reload if self.arguments.reading.trust() == Trust::Sandboxed => {
                self.refuse("in a sandbox a session reads no further files: name them on the command line")
            }
            Request::Load(file) => self.load(Path::new(&file)),
            Request::Reload => {
                if self.loaded.is_empty() {
                    return self.refuse("no file has been loaded");
                }
                for file in self.loaded.clone() {
                    if self.load(&file) == Verdict::Ended {
                        return Verdict::Ended;
                    }
                }
                Verdict::Going
            }
            Request::Time(text) => {
                let input = self.typed(&text);
                self.evaluate(input, Telling::Time)
            }
            Request::Steps(text) => {
                let input = self.typed(&text);
                self.evaluate(input, Telling::Steps)
            }
            Request::Engine(None) => {
                let name = match self.engine {
                    EngineChoice::One(engine) => engine.name(),
                    EngineChoice::Automatic | EngineChoice::All => "auto",
                };
                self.say(&format!("{name}\n"))
            }
            Request::Engine(Some(name)) => match (name.as_str(), Engine::named(&name)) {
                ("auto", _) => {
                    self.engine = EngineChoice::Automatic;
                    Verdict::Going
                }
                (_, Some(engine)) if ENGINES.contains(&engine) => {
                    self.engine = EngineChoice::One(engine);
                    Verdict::Going
                }
                (_, Some(_) | None) => {
                    let names: Vec<&str> = ENGINES.iter().map(|engine| engine.name()).collect();
                    self.refuse(&format!("inputs are evaluated by auto, {}, not by `{name}`", names.join(", ")))
                }
            },
            Request::Help => self.say(&commands::help()),
            Request::Quit => Verdict::Ended,
            Request::Type(_) | Request::Forward(_) | Request::Reverse(_) | Request::Check(..) | Request::Trace(_) => {
                self.watchdog.restart();
                let shown = self.inspection().carry_out(request);
                self.watchdog.rest();
                match shown {
                    Ok(text) => self.say(&text),
                    Err(failure) => self.report(&failure),
                }
            }
        }
    }

    /// Evaluates an input, with inputs that waited for a name that it defines.
    fn evaluate(&mut self, input: Input, telling: Telling) -> Verdict {
        let mut inputs: Vec<Waiting> = self.waiting.clone();
        inputs.push(Waiting::new(input));
        loop {
            let texts: Vec<Input> = inputs.iter().map(|waiting| waiting.input.clone()).collect();
            let Err(failure) = self.evaluation.check(&texts) else {
                self.waiting.retain(|waiting| !inputs.contains(waiting));
                return self.run(&texts, telling);
            };
            // What waits must not keep others from being evaluated.
            let before = inputs.len();
            let mut others = inputs.clone();
            let own = others.pop();
            others.retain(|waiting| !waiting.is_blamed(&failure));
            if others.len() + 1 == before {
                others.clear();
            }
            if !only_lacks_names(&failure) {
                self.waiting.retain(|waiting| others.contains(waiting) || !waiting.is_blamed(&failure));
            }
            if before > 1 {
                inputs = others.into_iter().chain(own).collect();
                continue;
            }
            return match own {
                Some(own) if only_lacks_names(&failure) && self.evaluation.session().reads_procedures(&own.input) => {
                    self.wait(own, &failure)
                }
                Some(_) | None => self.report(&failure),
            };
        }
    }

    /// Keeps definitions of procedures until the names that they lack are defined.
    fn wait(&mut self, waiting: Waiting, failure: &Failure) -> Verdict {
        let lacks: Vec<&str> = failure.diagnostics.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
        note(&format!("{} yet; this input waits for it", lacks.join(", ")));
        self.waiting.push(waiting);
        Verdict::Going
    }

    /// Ends the session: reports what the inputs lack that still wait for names.
    pub fn end(&mut self) {
        self.compiler.end();
        for Waiting { input, .. } in std::mem::take(&mut self.waiting) {
            if let Err(failure) = self.evaluation.check(&[input]) {
                self.report(&failure);
            }
        }
    }

    /// Evaluates inputs whose texts have no errors.
    fn run(&mut self, inputs: &[Input], telling: Telling) -> Verdict {
        let begun = Instant::now();
        let (engine, compiler) = match self.engine {
            EngineChoice::One(engine) => (engine, None),
            EngineChoice::Automatic | EngineChoice::All => (Engine::FOR_PARTS, Some(&self.compiler)),
        };
        let trust = self.arguments.reading.trust();
        let deadline = self.limits.time.and_then(|time| begun.checked_add(time));
        let allowance = CompilationLimits { deadline, memory: self.arguments.limits.of_compilers(trust), trust };
        let settings = allowance.settings(&self.arguments.engine.compiler);
        if let Some(interruption) = &self.interruption {
            interruption.begin();
        }
        self.watchdog.restart();
        let mut circumstances = Circumstances {
            engine,
            compiler,
            has_moved: false,
            has_stayed: false,
            interruption: self.interruption.as_deref(),
            settings: &settings,
            limits: Limits { begun: Some(begun), ..self.limits },
            console: self.console,
            input: &mut self.input,
        };
        let (steps, result) = self.evaluation.evaluate(inputs, &mut circumstances);
        let (has_moved, has_stayed) = (circumstances.has_moved, circumstances.has_stayed);
        self.watchdog.rest();
        let is_interrupted = self.interruption.as_ref().is_some_and(|interruption| interruption.is_pressed());
        if let Some(interruption) = &self.interruption {
            interruption.end();
        }
        let time = begun.elapsed().as_secs_f64();
        let verdict = match result {
            Ok(()) => self.say(""),
            Err(Trouble::OutputClosed) => Verdict::Ended,
            Err(Trouble::Failed(_) | Trouble::Compiler(_)) if is_interrupted => {
                self.has_failed = true;
                let _ = self.console.flush();
                note("interrupted");
                Verdict::Going
            }
            Err(Trouble::Failed(failure)) => self.report(&failure),
            Err(Trouble::Compiler(message)) => {
                self.has_failed = true;
                let _ = self.console.flush();
                complain(&format!("error[compiler]: {message}\n"));
                Verdict::Going
            }
        };
        let engine = if has_stayed { Engine::FOR_PARTS } else { engine };
        if has_stayed {
            note(&format!("evaluated by {engine}: compiled code could not rely on the values of the definitions"));
        }
        match telling {
            Telling::Nothing => {}
            Telling::Time if has_moved => note(&format!("{time:.6} s on {engine}, then {}", Engine::Native)),
            Telling::Time => note(&format!("{time:.6} s on {engine}")),
            Telling::Steps => note(&format!("{steps} steps")),
        }
        verdict
    }

    /// Prints a text on the standard output.
    fn say(&mut self, text: &str) -> Verdict {
        match self.console.write_text(text) {
            Ok(()) => Verdict::Going,
            // The end of the session reports an output that cannot be written.
            Err(_) => Verdict::Ended,
        }
    }

    /// Reports errors.
    fn report(&mut self, failure: &Failure) -> Verdict {
        self.has_failed = true;
        let _ = self.console.flush();
        complain(&render::render(&failure.diagnostics, &failure.sources, self.arguments.reading.style()));
        Verdict::Going
    }

    /// Reports that a command cannot be carried out.
    fn refuse(&mut self, message: &str) -> Verdict {
        let diagnostics = vec![Diagnostic::new(Kind::Syntax, None, message.to_owned())];
        self.report(&Failure { diagnostics, sources: SourceMap::default() })
    }
}

impl Waiting {
    fn new(input: Input) -> Waiting {
        let name = match &input {
            Input::Text { name, .. } => name.clone(),
            Input::Path(path) | Input::Read { path, .. } => path.display().to_string(),
            Input::Kept(_) => String::new(),
        };
        Waiting { name, input }
    }

    /// Returns true if an error is about this input.
    fn is_blamed(&self, failure: &Failure) -> bool {
        let is_own = |span: Span| failure.sources.get(span.file).is_some_and(|file| file.name == self.name);
        failure.diagnostics.iter().any(|diagnostic| {
            diagnostic.span.is_some_and(is_own) || diagnostic.labels.iter().any(|label| is_own(label.span))
        })
    }
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Waiting) -> bool {
        self.name == other.name
    }
}

/// Writes a note on the standard error.
fn note(text: &str) {
    complain(&format!("note: {text}\n"));
}

/// Writes a text on the standard error. If that fails, there is no other place for it.
fn complain(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
