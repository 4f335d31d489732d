//! The engine `auto`: starts at once, and is fast as soon as compiled code is available (report, 12.5).
//!
//! A program whose object is in the cache runs on `native`. Any other begins on `hybrid`, while another process
//! generates C and compiles it ([`background`]). When the object is ready, the run is abandoned and restarted on
//! `native` with its effects replayed ([`vlad_shared::runtime::restart`]). If specialised code gives an item up there, the run goes on
//! in the same way: on `hybrid`, while an object is compiled in which that item and all after it are not specialised. Engines agree to the
//! last bit and step, so the output does not show where, or if, the run has moved.

mod background;
pub mod helper;
mod request;

pub use background::{Background, CompilerOutcome};
pub use request::Request;

use crate::options::limits::Trust;
use crate::output::progress::Activity;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};
use vlad_compiler::loaded;
use vlad_engines::{Engine, Ready, Task};
use vlad_shared::core::diagnostic::Diagnostic;
use vlad_shared::runtime::restart::Restartable;
use vlad_shared::runtime::run::{Host, Limits, Report};
use vlad_shared::table::internal_bug;

/// The engines that ran a program, for `--stats`.
#[derive(Debug, PartialEq, Eq)]
pub enum EngineHistory {
    /// The chosen engines.
    Chosen(Vec<Engine>),
    /// `hybrid` at first, then `native` and `hybrid` in turn.
    Automatic {
        /// The times since the begin of the run at which it moved from one to the other.
        moves: Vec<Duration>,
        /// The state of the compiler at the end, if that was on `hybrid`.
        compiler: Option<CompilerOutcome>,
    },
}

impl EngineHistory {
    /// Returns the engines that ran, starting with the one that ended the run.
    pub fn engines(&self) -> &[Engine] {
        match self {
            EngineHistory::Chosen(engines) => engines,
            EngineHistory::Automatic { moves, .. } => match moves.len() {
                0 => &[Engine::WITHOUT_COMPILER],
                moves if moves.is_multiple_of(2) => &[Engine::WITHOUT_COMPILER, Engine::Native],
                _ => &[Engine::Native, Engine::WITHOUT_COMPILER],
            },
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
            EngineHistory::Automatic { moves, compiler } => {
                write!(out, "{}", Engine::WITHOUT_COMPILER)?;
                let engines = [Engine::Native, Engine::WITHOUT_COMPILER].into_iter().cycle();
                for (number, (time, engine)) in moves.iter().zip(engines).enumerate() {
                    let time = time.as_secs_f64();
                    match number {
                        0 => write!(out, " for {time:.6} s, then {engine}")?,
                        _ => write!(out, ", and after {time:.6} s {engine}")?,
                    }
                }
                match compiler {
                    None => Ok(()),
                    Some(CompilerOutcome::NotBegun) => out.write_str(", to the end before anything was compiled"),
                    Some(CompilerOutcome::Ended) => out.write_str("; the compiler was ended with it"),
                    Some(CompilerOutcome::GoesOn) => out.write_str("; the compiler goes on for the next run"),
                    Some(CompilerOutcome::TooLate) => out.write_str("; compiled when it ended"),
                    Some(CompilerOutcome::Failed(reason)) => {
                        let reason = reason.lines().next().unwrap_or_default();
                        write!(out, "; the program could not be compiled: {reason}")
                    }
                }
            }
        }
    }
}

/// The end of a run.
pub struct AutomaticRun {
    /// The report of the engine that ended it.
    pub report: Report,
    /// The engines that ran it.
    pub history: EngineHistory,
    /// The items that specialised code gave up, each with its place and the reason.
    pub given_up: Vec<Diagnostic>,
}

/// Runs a program on `hybrid`, and on `native` once it is compiled.
pub fn run(
    request: Request,
    trust: Trust,
    task: Task<'_>,
    host: &mut dyn Host,
    activity: &Arc<Activity>,
) -> AutomaticRun {
    let begun = Instant::now();
    let background = RefCell::new(Background::begin(request.clone(), trust, Arc::clone(activity)));
    // Specialised code may give an item up.
    let is_specialised = Cell::new(false);
    let may_restart = || is_specialised.get() || background.borrow().may_come();
    let mut restartable = Restartable::new(host, &may_restart);
    let (mut moves, mut given_up) = (Vec::new(), Vec::new());
    loop {
        let abandonment = Some(background.borrow().abandonment());
        let limits = Limits { begun: Some(begun), abandonment, ..*task.limits };
        let report = Ready::Hybrid.run(Task { limits: &limits, ..task }, &mut restartable);
        if !report.is_abandoned() {
            let compiler = Some(background.borrow().end());
            return AutomaticRun { report, history: EngineHistory::Automatic { moves, compiler }, given_up };
        }
        moves.push(begun.elapsed());
        restartable.restart();
        is_specialised.set(true);
        let Some(object) = background.borrow().take() else {
            internal_bug!("a run is given up when there is an object to go on with");
        };
        let limits = Limits { abandonment: None, ..limits };
        let compiled = vlad_compiler::Task::with_limits(task.program, &limits);
        let Some(native) = loaded(object, &[compiled]).pop() else {
            internal_bug!("an object holds the program that was compiled into it");
        };
        is_specialised.set(native.is_specialised());
        let report = native.run(task.program, &mut restartable, &limits);
        let Some(bailout) = report.abandonment() else {
            return AutomaticRun { report, history: EngineHistory::Automatic { moves, compiler: None }, given_up };
        };
        given_up.push(bailout.clone());
        moves.push(begun.elapsed());
        let request = Request { tagged_from: Some(restartable.restart()), ..request.clone() };
        background.replace(Background::begin(request, trust, Arc::clone(activity)));
        is_specialised.set(false);
    }
}
