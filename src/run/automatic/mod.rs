//! The engine `auto`: starts at once, and is fast as soon as compiled code is available (report, 12.5).
//!
//! A program whose object is in the cache runs on `native`. Any other begins on `hybrid`, while another process
//! generates C and compiles it ([`background`]). When the object is ready, the run is abandoned and restarted on
//! `native` with its effects replayed ([`vlad_shared::runtime::restart`]). Engines agree to the last bit and step, so
//! the output does not show where, or if, the run has moved.

mod background;
pub mod helper;
mod request;

pub use background::{Background, CompilerOutcome};
pub use request::Request;

use crate::options::limits::Trust;
use crate::output::progress::Activity;
use std::cell::Cell;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};
use vlad_compiler::loaded;
use vlad_engines::{Engine, Ready, Task};
use vlad_shared::runtime::restart::Restartable;
use vlad_shared::runtime::run::{Host, Limits, Report};
use vlad_shared::table::internal_bug;

/// The engines that ran a program, for `--stats`.
#[derive(Debug, PartialEq, Eq)]
pub enum EngineHistory {
    /// The chosen engines.
    Chosen(Vec<Engine>),
    /// `hybrid` from beginning to end, and the state of the compiler at the end.
    Stayed(CompilerOutcome),
    /// `hybrid`, and after this time `native`.
    Moved(Duration),
    /// The same, and then `hybrid` again, since specialised code has given an item up.
    MovedBack {
        /// The time after which `native` began.
        begun: Duration,
        /// The time after which it gave the item up.
        given_up: Duration,
    },
}

impl EngineHistory {
    /// Returns the engines that ran, starting with the one that ended the run.
    pub fn engines(&self) -> &[Engine] {
        match self {
            EngineHistory::Chosen(engines) => engines,
            EngineHistory::Stayed(_) => &[Engine::WITHOUT_COMPILER],
            EngineHistory::MovedBack { .. } => &[Engine::WITHOUT_COMPILER, Engine::Native],
            EngineHistory::Moved(_) => &[Engine::Native, Engine::WITHOUT_COMPILER],
        }
    }
}

impl fmt::Display for EngineHistory {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineHistory::Chosen(engines) => {
                let names: Vec<&str> = engines.iter().map(|engine| engine.name()).collect();
                out.write_str(&names.join(", "))
            }
            EngineHistory::Stayed(compiled) => {
                out.write_str(match compiled {
                    CompilerOutcome::NotBegun => "hybrid, to the end before anything was compiled",
                    CompilerOutcome::Ended => "hybrid; the compiler was ended with it",
                    CompilerOutcome::GoesOn => "hybrid; the compiler goes on for the next run",
                    CompilerOutcome::TooLate => "hybrid; compiled when it ended",
                    CompilerOutcome::Failed(_) => "hybrid; the program could not be compiled: ",
                })?;
                match compiled {
                    CompilerOutcome::Failed(reason) => out.write_str(reason.lines().next().unwrap_or_default()),
                    CompilerOutcome::NotBegun
                    | CompilerOutcome::Ended
                    | CompilerOutcome::GoesOn
                    | CompilerOutcome::TooLate => Ok(()),
                }
            }
            EngineHistory::Moved(time) => write!(out, "hybrid for {:.6} s, then native", time.as_secs_f64()),
            EngineHistory::MovedBack { begun, given_up } => {
                let (begun, given_up) = (begun.as_secs_f64(), given_up.as_secs_f64());
                write!(out, "hybrid for {begun:.6} s, then native, and after {given_up:.6} s hybrid again")
            }
        }
    }
}

/// Runs a program on `hybrid`, and on `native` once it is compiled.
pub fn run(
    request: Request,
    trust: Trust,
    task: Task<'_>,
    host: &mut dyn Host,
    activity: Arc<Activity>,
) -> (Report, EngineHistory) {
    let begun = Instant::now();
    let background = Background::begin(request, trust, activity);
    let limits = Limits { begun: Some(begun), abandonment: Some(background.abandonment()), ..*task.limits };
    // Specialised code may give an item up.
    let is_specialised = Cell::new(false);
    let may_restart = || background.may_come() || is_specialised.get();
    let mut restartable = Restartable::new(host, &may_restart);
    let report = Ready::Hybrid.run(Task { limits: &limits, ..task }, &mut restartable);
    if !report.is_abandoned() {
        return (report, EngineHistory::Stayed(background.end()));
    }
    let moved = begun.elapsed();
    restartable.restart();
    is_specialised.set(true);
    let Some(object) = background.take() else {
        internal_bug!("a run is given up when there is an object to go on with");
    };
    let limits = Limits { abandonment: None, ..limits };
    let compiled = vlad_compiler::Task::with_limits(task.program, &limits);
    let Some(native) = loaded(object, &[compiled]).pop() else {
        internal_bug!("an object holds the program that was compiled into it");
    };
    is_specialised.set(native.is_specialised());
    let report = native.run(task.program, &mut restartable, &limits);
    if !report.is_abandoned() {
        return (report, EngineHistory::Moved(moved));
    }
    restartable.restart();
    let report = Ready::Hybrid.run(Task { limits: &limits, ..task }, &mut restartable);
    (report, EngineHistory::MovedBack { begun: moved, given_up: begun.elapsed() })
}
