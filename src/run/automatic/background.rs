//! The background compiler of a run, as the run sees it.
//!
//! ```text
//! Delayed --> Compiling --> Ready --> Taken
//!    |            |  \
//!    |            |   +--> Failed
//!    +------------+------> Taken (the run has ended first)
//! ```
//!
//! A thread waits for [`DELAY`], starts the process that compiles ([`super::helper`]), and reads its answer. Once the
//! object is loaded, the thread sets the flag on which the running engine abandons the run.

use super::helper;
use super::request::Request;
use crate::options::limits::Trust;
use crate::output::progress::Activity;
use crate::process::own_executable;
use crate::process::threads;
use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use vlad_compiler::compiled::cache::{CachePolicy, Object};
use vlad_compiler::toolchain::{DEFAULT_TIME_LIMIT, hold};
use vlad_shared::table::internal_bug;
use vlad_shared::values::watch::RestartSignal;

/// The time that a run takes before compiling starts: most programs have ended by then.
const DELAY: Duration = Duration::from_millis(10);

/// The time that a run must have taken for its program to be worth compiling to the end, so that the next run is
/// faster.
const WORTH_GOING_ON: Duration = Duration::from_millis(200);

/// The background compiler.
pub struct Background {
    shared: Arc<SharedState>,
    begun: Instant,
    /// True if the compiler may continue after the run has ended.
    may_go_on: bool,
}

struct SharedState {
    stage: Mutex<Stage>,
    changed: Condvar,
    abandonment: RestartSignal,
    /// True if no object will come.
    is_hopeless: AtomicBool,
    activity: Arc<Activity>,
}

enum Stage {
    /// Nothing has been started.
    Delayed,
    /// The process that compiles is running; it ends when this pipe is closed.
    Compiling(ChildStdin),
    /// The object has been compiled and loaded.
    Ready(Object),
    /// There will be no object.
    Failed(String),
    /// The object has been taken, or the run has ended.
    Taken,
}

/// The state of the compiler at the end of a run.
#[derive(Debug, PartialEq, Eq)]
pub enum CompilerOutcome {
    /// It was not started.
    NotBegun,
    /// It was ended.
    Ended,
    /// It continues, for the next run.
    GoesOn,
    /// It had finished, too late for this run.
    TooLate,
    /// It failed, for this reason.
    Failed(String),
}

impl Background {
    /// Starts the background thread of a run that begins now. For a trusted program and with the cache in use, the
    /// compiler may continue for some time after the run.
    pub fn begin(request: Request, trust: Trust, activity: Arc<Activity>) -> Background {
        let shared = Arc::new(SharedState {
            stage: Mutex::new(Stage::Delayed),
            changed: Condvar::new(),
            abandonment: RestartSignal::unsaid(),
            is_hopeless: AtomicBool::new(false),
            activity,
        });
        let may_go_on = request.cache == CachePolicy::Use && trust == Trust::Trusted;
        let other = Arc::clone(&shared);
        if threads::named("background").spawn(move || other.work(&request)).is_err() {
            shared.fail("a thread cannot be started".to_owned());
        }
        Background { shared, begun: Instant::now(), may_go_on }
    }

    /// Returns the flag on which the engine is to abandon the run.
    pub fn abandonment(&self) -> RestartSignal {
        self.shared.abandonment
    }

    /// Returns true if the object is there or may still come.
    pub fn may_come(&self) -> bool {
        !self.shared.is_hopeless.load(Ordering::Relaxed)
    }

    /// Takes the object, once the flag has been set.
    pub fn take(&self) -> Option<Object> {
        match std::mem::replace(&mut *self.shared.lock(), Stage::Taken) {
            Stage::Ready(object) => {
                self.shared.is_hopeless.store(true, Ordering::Relaxed);
                Some(object)
            }
            Stage::Delayed | Stage::Compiling(_) | Stage::Failed(_) | Stage::Taken => None,
        }
    }

    /// Ends the compiler, since the run has ended: at once, or if that may make the next run faster, when it has
    /// finished.
    pub fn end(&self) -> CompilerOutcome {
        let stage = std::mem::replace(&mut *self.shared.lock(), Stage::Taken);
        self.shared.changed.notify_all();
        match stage {
            Stage::Delayed | Stage::Taken => CompilerOutcome::NotBegun,
            Stage::Ready(_) => CompilerOutcome::TooLate,
            Stage::Failed(reason) => CompilerOutcome::Failed(reason),
            Stage::Compiling(mut process) => {
                let is_worth_it = self.may_go_on && self.begun.elapsed() >= WORTH_GOING_ON;
                if is_worth_it && process.write_all(&[helper::GO_ON]).is_ok() {
                    CompilerOutcome::GoesOn
                } else {
                    CompilerOutcome::Ended
                }
            }
        }
    }
}

impl SharedState {
    fn lock(&self) -> MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits, has the request carried out, and sets the flag that abandons the run.
    fn work(&self, request: &Request) {
        let is_delayed = |stage: &mut Stage| matches!(stage, Stage::Delayed);
        let waited = self.changed.wait_timeout_while(self.lock(), DELAY, is_delayed);
        drop(waited);
        match self.compile(request) {
            Ok(Some(object)) => {
                let mut stage = self.lock();
                if matches!(*stage, Stage::Compiling(_)) {
                    *stage = Stage::Ready(object);
                    self.activity.set("running on native");
                    self.abandonment.say();
                }
            }
            Ok(None) => {}
            Err(reason) => self.fail(reason),
        }
    }

    /// Returns the object that another process compiles; none if the run has ended.
    fn compile(&self, request: &Request) -> Result<Option<Object>, String> {
        let Some((mut process, mut pipe)) = self.start(request).map_err(|error| error.to_string())? else {
            return Ok(None);
        };
        let mut answer = Vec::new();
        let read = pipe.read_to_end(&mut answer);
        // The answer reports success or failure, so the exit code is not needed.
        let _ = process.wait();
        read.map_err(|error| error.to_string())?;
        Object::of_bytes(helper::object(&answer)?).map(Some).map_err(|error| error.to_string())
    }

    /// Starts the process that compiles, and sends it the request, unless the run has ended.
    fn start(&self, request: &Request) -> io::Result<Option<(Child, ChildStdout)>> {
        if !matches!(*self.lock(), Stage::Delayed) {
            return Ok(None);
        }
        let mut command = Command::new(own_executable::path()?);
        command.arg(helper::NAME).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        hold(&mut command, request.memory_limit, request.time_limit.unwrap_or(DEFAULT_TIME_LIMIT));
        let mut process = command.spawn()?;
        let (Some(mut input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            internal_bug!("a process has the pipes that it was started with");
        };
        let sent = request.send(&mut input);
        let mut stage = self.lock();
        if sent.is_ok() && matches!(*stage, Stage::Delayed) {
            *stage = Stage::Compiling(input);
            self.activity.set("running on hybrid, compiling for native");
            return Ok(Some((process, output)));
        }
        drop(stage);
        // Closing its standard input ends the process.
        drop(input);
        let _ = process.wait();
        sent.map(|()| None)
    }

    fn fail(&self, reason: String) {
        self.is_hopeless.store(true, Ordering::Relaxed);
        self.activity.set("running on hybrid");
        let mut stage = self.lock();
        if matches!(*stage, Stage::Delayed | Stage::Compiling(_)) {
            *stage = Stage::Failed(reason);
        }
    }
}
