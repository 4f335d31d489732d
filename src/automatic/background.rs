//! The compiler in the background of a run, as the run sees it.
//!
//! ```text
//! Delayed --> Compiling --> Ready --> Taken
//!    |            |  \
//!    |            |   +--> Failed
//!    +------------+------> Taken (the run has ended first)
//! ```
//!
//! A thread waits a moment, starts the process that compiles ([`super::helper`]), and waits for what it gives. When that is
//! loaded the thread says the word on which the engine that runs gives up.

use super::helper;
use super::request::Request;
use crate::limits::Trust;
use crate::progress::Activity;
use std::env;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use vlad_compiler::cache::{CachePolicy, Object};
use vlad_compiler::toolchain::{DEFAULT_TIME_LIMIT, hold};
use vlad_shared::internal_bug;
use vlad_shared::restart::Abandonment;

/// The time for which a run goes on before anything is compiled: most programs have ended by then.
const DELAY: Duration = Duration::from_millis(10);

/// The time that a run must have taken for its program to be worth compiling after its end: the next one will be faster.
const WORTH_GOING_ON: Duration = Duration::from_millis(200);

/// The compiler in the background.
pub struct Background {
    shared: Arc<Shared>,
    begun: Instant,
    /// Tells if the compiler may go on when the run has ended.
    may_go_on: bool,
}

struct Shared {
    stage: Mutex<Stage>,
    changed: Condvar,
    abandonment: Abandonment,
    /// Whether no object is going to come.
    is_hopeless: AtomicBool,
    activity: Arc<Activity>,
}

enum Stage {
    /// Nothing has been started.
    Delayed,
    /// The process that compiles runs, and lives as long as this is open.
    Compiling(ChildStdin),
    /// It has made an object, which is loaded.
    Ready(Object),
    /// There will be no object.
    Failed(String),
    /// Nobody wants one any more.
    Taken,
}

/// What became of the compiler by the time that a run ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Compiled {
    /// Nothing was begun.
    NotBegun,
    /// It was ended.
    Ended,
    /// It goes on, for the next run.
    GoesOn,
    /// It had an object, which came too late.
    TooLate,
    /// It has failed.
    Failed(String),
}

impl Background {
    /// Begins, for a run that begins now. What is compiled for the cache may go on for a time when a trusted program has ended.
    pub fn begin(request: Request, trust: Trust, activity: Arc<Activity>) -> Background {
        let shared = Arc::new(Shared {
            stage: Mutex::new(Stage::Delayed),
            changed: Condvar::new(),
            abandonment: Abandonment::unsaid(),
            is_hopeless: AtomicBool::new(false),
            activity,
        });
        let may_go_on = request.cache == CachePolicy::Use && trust == Trust::Trusted;
        let other = Arc::clone(&shared);
        if thread::Builder::new().name("background".to_owned()).spawn(move || other.work(&request)).is_err() {
            shared.fail("no thread is to be had".to_owned());
        }
        Background { shared, begun: Instant::now(), may_go_on }
    }

    /// The word on which the engine is to give the run up.
    pub fn abandonment(&self) -> Abandonment {
        self.shared.abandonment
    }

    /// Whether an object may still come, or is there.
    pub fn may_come(&self) -> bool {
        !self.shared.is_hopeless.load(Ordering::Relaxed)
    }

    /// The object, once the word has been said.
    pub fn take(&self) -> Option<Object> {
        match std::mem::replace(&mut *self.shared.lock(), Stage::Taken) {
            Stage::Ready(object) => {
                self.shared.is_hopeless.store(true, Ordering::Relaxed);
                Some(object)
            }
            Stage::Delayed | Stage::Compiling(_) | Stage::Failed(_) | Stage::Taken => None,
        }
    }

    /// Ends it, since the run has ended: at once, or if that may spare the next run time, when the compiler is done.
    pub fn end(&self) -> Compiled {
        let stage = std::mem::replace(&mut *self.shared.lock(), Stage::Taken);
        self.shared.changed.notify_all();
        match stage {
            Stage::Delayed | Stage::Taken => Compiled::NotBegun,
            Stage::Ready(_) => Compiled::TooLate,
            Stage::Failed(reason) => Compiled::Failed(reason),
            Stage::Compiling(mut process) => {
                let is_worth_it = self.may_go_on && self.begun.elapsed() >= WORTH_GOING_ON;
                if is_worth_it && process.write_all(&[helper::GO_ON]).is_ok() {
                    Compiled::GoesOn
                } else {
                    Compiled::Ended
                }
            }
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits, has a request carried out, and says so.
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

    /// The object that another process makes; none if nobody wants it any more.
    fn compile(&self, request: &Request) -> Result<Option<Object>, String> {
        let Some((mut process, mut pipe)) = self.start(request).map_err(|error| error.to_string())? else {
            return Ok(None);
        };
        let mut answer = Vec::new();
        let read = pipe.read_to_end(&mut answer);
        // However it has ended, the answer says enough.
        let _ = process.wait();
        read.map_err(|error| error.to_string())?;
        Object::of_bytes(helper::object(&answer)?).map(Some).map_err(|error| error.to_string())
    }

    /// Starts the process that compiles, and gives it the request, unless nobody wants that any more.
    fn start(&self, request: &Request) -> io::Result<Option<(Child, ChildStdout)>> {
        if !matches!(*self.lock(), Stage::Delayed) {
            return Ok(None);
        }
        // What runs is asked for, not what stands in its place by now.
        let own = if cfg!(target_os = "linux") { PathBuf::from("/proc/self/exe") } else { env::current_exe()? };
        let mut command = Command::new(own);
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
        // The end of its input is its end.
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
