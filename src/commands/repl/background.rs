//! The compiler of a session: while `hybrid` evaluates an input, a thread compiles it, and `native` goes on.
//!
//! ```text
//! Wanted (at first a delay, then a compilation) --> Ready --> Over (the code is taken)
//!    |
//!    +--> Over (the evaluation has ended, or there is no code)
//! ```

use crate::process::threads;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use vlad_compiler::toolchain::leave;
use vlad_compiler::{Loaded, SizePolicy};
use vlad_engines::Settings;
use vlad_shared::core::Program;
use vlad_shared::runtime::run::Limits;
use vlad_shared::runtime::suspended::Scope;
use vlad_shared::values::watch::RestartSignal;

/// The time that an evaluation takes before its input is compiled: most have ended by then.
const DELAY: Duration = Duration::from_millis(100);

/// The compiler of a session, which compiles one input at a time.
#[derive(Default)]
pub struct SessionCompiler {
    /// Locked while an input is compiled.
    turn: Arc<Mutex<()>>,
}

/// The compilation of an input, which is of no use once this is dropped.
pub struct Compilation {
    shared: Arc<SharedState>,
}

struct SharedState {
    stage: Mutex<Stage>,
    changed: Condvar,
    is_over: AtomicBool,
    /// The signal on which the engine that evaluates the input abandons it.
    abandonment: RestartSignal,
    turn: Arc<Mutex<()>>,
}

enum Stage {
    /// The code is wanted.
    Wanted,
    /// It is there.
    Ready(Box<Loaded>),
    /// It will not come, or is not wanted any more.
    Over,
}

impl SessionCompiler {
    /// Begins to compile the items of a program, once earlier compilations have ended; when there is code, the signal is raised.
    /// None if that is not possible.
    pub fn begin(
        &self,
        program: Arc<Program>,
        limits: Limits,
        settings: &Settings,
        abandonment: RestartSignal,
    ) -> Option<Compilation> {
        let shared = Arc::new(SharedState {
            stage: Mutex::new(Stage::Wanted),
            changed: Condvar::new(),
            is_over: AtomicBool::new(false),
            abandonment,
            turn: Arc::clone(&self.turn),
        });
        let settings = Settings { willingness: SizePolicy::NotHuge, ..settings.clone() };
        let other = Arc::clone(&shared);
        threads::named("compiler").spawn(move || other.work(&program, &limits, &settings)).ok()?;
        Some(Compilation { shared })
    }

    /// Ends the processes of a compilation that is not wanted any more, since the session ends.
    pub fn end(&self) {
        if self.turn.try_lock().is_err() {
            leave();
        }
    }
}

impl SharedState {
    fn work(&self, program: &Program, limits: &Limits, settings: &Settings) {
        let is_wanted = |stage: &mut Stage| matches!(stage, Stage::Wanted);
        let waited = self.changed.wait_timeout_while(self.lock(), DELAY, is_wanted);
        let (stage, waiting) = waited.unwrap_or_else(PoisonError::into_inner);
        drop(stage);
        if !waiting.timed_out() {
            return;
        }
        let turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        if !is_wanted(&mut self.lock()) {
            return;
        }
        let task = vlad_compiler::Task::with_scope(Scope::Items, program, limits);
        let compiled = vlad_compiler::compile(&[task], settings).ok().and_then(|mut all| all.pop());
        drop(turn);
        let mut stage = self.lock();
        if is_wanted(&mut stage) {
            match compiled {
                Some(loaded) => {
                    *stage = Stage::Ready(Box::new(loaded));
                    self.abandonment.say();
                }
                None => {
                    self.end(stage);
                }
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the compilation; returns its stage before.
    fn end(&self, mut stage: MutexGuard<'_, Stage>) -> Stage {
        self.is_over.store(true, Ordering::Relaxed);
        self.changed.notify_all();
        std::mem::replace(&mut *stage, Stage::Over)
    }
}

impl Compilation {
    /// Returns true if the code is there or may still come.
    pub fn may_come(&self) -> bool {
        !self.shared.is_over.load(Ordering::Relaxed)
    }

    /// Takes the code, if it is there.
    pub fn take(&self) -> Option<Loaded> {
        match self.shared.end(self.shared.lock()) {
            Stage::Ready(loaded) => Some(*loaded),
            Stage::Wanted | Stage::Over => None,
        }
    }
}

impl Drop for Compilation {
    fn drop(&mut self) {
        drop(self.take());
    }
}
