//! The engine `auto`: starts at once, and is fast as soon as compiled code is available (report, 12.5).
//!
//! A program whose object is in the cache runs on `native`. Any other begins on `hybrid`, while another process
//! generates C and compiles it ([`background`]). When the object is ready, the run is abandoned and restarted on
//! `native` with its effects replayed ([`vlad_shared::runtime::restart`]). Engines agree to the last bit and step, so
//! the output does not show where, or if, the run has moved.

mod background;
pub mod helper;
mod request;

pub use background::{Background, Compiled};
pub use request::Request;

use crate::limits::Trust;
use crate::progress::Activity;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};
use vlad_compiler::loaded;
use vlad_engines::{Engine, Ready, Task};
use vlad_shared::core::diagnostic::Kind;
use vlad_shared::runtime::restart::Restartable;
use vlad_shared::runtime::run::{Host, Limits, Outcome, Report};
use vlad_shared::table::internal_bug;

/// The engines that ran a program, for `--stats`.
#[derive(Debug, PartialEq, Eq)]
pub enum Course {
    /// The chosen engines.
    Chosen(Vec<Engine>),
    /// `hybrid` from beginning to end, and the state of the compiler at the end.
    Stayed(Compiled),
    /// `hybrid`, and after this time `native`.
    Moved(Duration),
}

impl Course {
    /// Returns the engines that ran, starting with the one that ended the run.
    pub fn engines(&self) -> &[Engine] {
        match self {
            Course::Chosen(engines) => engines,
            Course::Stayed(_) => &[Engine::WITHOUT_COMPILER],
            Course::Moved(_) => &[Engine::Native, Engine::WITHOUT_COMPILER],
        }
    }
}

impl fmt::Display for Course {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Course::Chosen(engines) => {
                let names: Vec<&str> = engines.iter().map(|engine| engine.name()).collect();
                out.write_str(&names.join(", "))
            }
            Course::Stayed(compiled) => {
                out.write_str(match compiled {
                    Compiled::NotBegun => "hybrid, to the end before anything was compiled",
                    Compiled::Ended => "hybrid; the compiler was ended with it",
                    Compiled::GoesOn => "hybrid; the compiler goes on for the next run",
                    Compiled::TooLate => "hybrid; compiled when it ended",
                    Compiled::Failed(_) => "hybrid; the program could not be compiled: ",
                })?;
                match compiled {
                    Compiled::Failed(reason) => out.write_str(reason.lines().next().unwrap_or_default()),
                    Compiled::NotBegun | Compiled::Ended | Compiled::GoesOn | Compiled::TooLate => Ok(()),
                }
            }
            Course::Moved(time) => write!(out, "hybrid for {:.6} s, then native", time.as_secs_f64()),
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
) -> (Report, Course) {
    let begun = Instant::now();
    let background = Background::begin(request, trust, activity);
    let limits = Limits { begun: Some(begun), abandonment: Some(background.abandonment()), ..*task.limits };
    let may_come = || background.may_come();
    let mut restartable = Restartable::new(host, &may_come);
    let report = Ready::Hybrid.run(Task { limits: &limits, ..task }, &mut restartable);
    if !is_given_up(&report) {
        return (report, Course::Stayed(background.end()));
    }
    let moved = begun.elapsed();
    restartable.restart();
    let Some(object) = background.take() else {
        internal_bug!("a run is given up when there is an object to go on with");
    };
    let limits = Limits { abandonment: None, ..limits };
    let compiled = vlad_compiler::Task::with_limits(task.program, &limits);
    let Some(native) = loaded(object, &[compiled]).pop() else {
        internal_bug!("an object holds the program that was compiled into it");
    };
    (native.run(task.program, &mut restartable, &limits), Course::Moved(moved))
}

fn is_given_up(report: &Report) -> bool {
    match &report.outcome {
        Outcome::Failed(diagnostic) => diagnostic.kind == Kind::Abandoned,
        Outcome::Finished | Outcome::OutputClosed => false,
    }
}
