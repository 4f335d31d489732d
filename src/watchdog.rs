//! The limits on time and memory as a last resort: a thread that ends the process when nobody else does.
//!
//! Engines look at the clock and the memory themselves, so as to say where in the program they were. They cannot while
//! they wait for input or output, and what reads, checks and prints a program does not look at all. So the watchdog
//! watches from before a program is loaded, and lets the limits be passed by a little before it tells the end in
//! the place of others. As it is awake anyway, it looks for signals as well ([`crate::signals`]).

use crate::console::{Conclusion, Console};
use crate::memory;
use crate::signals::Signals;
use std::process;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use vlad_compiler::toolchain::end_children;
use vlad_shared::diagnostic::{Diagnostic, Kind};
use vlad_shared::run::Limits;
use vlad_shared::source::SourceMap;

/// The time that an engine has, after the limit, to notice it.
const GRACE: Duration = Duration::from_millis(150);

/// The time for which the watchdog waits for the output to be free.
const PATIENCE: Duration = Duration::from_millis(100);

/// The time between two looks at the memory and for signals: too short to fill what the default limit leaves free.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// The part of the memory limit by which it may be passed before the watchdog acts: a thirty-second.
const MARGIN_PART: u64 = 32;

/// What the margin is at least: an engine takes that much between two looks of its own, however small its limit is.
const LEAST_MARGIN: u64 = 4 << 20;

/// The limits on time and memory that are being watched, if there are any.
pub struct Watchdog {
    limit: Option<Duration>,
    /// When time is up; none if there is no such limit, or if that is beyond the clock.
    due: Arc<Mutex<Option<Instant>>>,
}

/// What the watching thread knows of the memory limit.
#[derive(Clone, Copy)]
struct MemoryLimit {
    /// The limit that the user knows.
    limit: u64,
    /// The resident memory over which the watchdog acts.
    bound: u64,
}

impl MemoryLimit {
    fn new(limit: u64) -> MemoryLimit {
        MemoryLimit { limit, bound: limit.saturating_add((limit / MARGIN_PART).max(LEAST_MARGIN)) }
    }

    /// The diagnostic, if the process takes too much now.
    fn look(self) -> Option<Diagnostic> {
        let passed = memory::usage().is_some_and(|usage| usage > self.bound);
        passed.then(|| {
            Diagnostic::new(Kind::Memory, None, format!("the memory limit of {} bytes is reached", self.limit))
        })
    }
}

impl Watchdog {
    /// Watches over limits from now on, until the console is concluded.
    pub fn start(limits: &Limits, console: &Arc<Console>) -> Watchdog {
        let watchdog = Watchdog { limit: limits.time, due: Arc::new(Mutex::new(due(limits.time))) };
        let (time, memory) = (limits.time, limits.memory.map(MemoryLimit::new));
        if time.is_some() || memory.is_some() {
            let due = Arc::clone(&watchdog.due);
            let console = Arc::clone(console);
            // Without a thread to be had, the engine's own looks have to do.
            let _ = thread::Builder::new().name("watchdog".to_owned()).spawn(move || {
                let signals = Signals::attend();
                let look = || signals.look(|| console.give_up_line());
                if let Some(diagnostic) = watch(time, &due, memory, Some(&look)) {
                    end(&diagnostic, &console);
                }
            });
        }
        watchdog
    }

    /// Grants the whole time again, from now on.
    pub fn restart(&self) {
        *lock(&self.due) = due(self.limit);
    }
}

fn due(limit: Option<Duration>) -> Option<Instant> {
    Instant::now().checked_add(limit?)?.checked_add(GRACE)
}

fn lock(due: &Mutex<Option<Instant>>) -> MutexGuard<'_, Option<Instant>> {
    due.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The diagnostic of a time limit that was reached nowhere in particular.
pub fn time_limit_reached(limit: Duration) -> Diagnostic {
    Diagnostic::new(Kind::Time, None, format!("the time limit of {} s is reached", limit.as_secs_f64()))
}

/// Sleeps until time is up, however often it is granted again, or the memory is too much, and tells which. None if
/// neither can come to pass. In between it looks for signals, which end the process.
fn watch(
    time: Option<Duration>,
    due: &Mutex<Option<Instant>>,
    memory: Option<MemoryLimit>,
    look_for_signals: Option<&dyn Fn()>,
) -> Option<Diagnostic> {
    loop {
        if let Some(look) = look_for_signals {
            look();
        }
        if let Some(diagnostic) = memory.and_then(MemoryLimit::look) {
            return Some(diagnostic);
        }
        let left = lock(due).map(|due| due.saturating_duration_since(Instant::now()));
        if let (Some(time), Some(Duration::ZERO)) = (time, left) {
            return Some(time_limit_reached(time));
        }
        let next_look = (memory.is_some() || look_for_signals.is_some()).then_some(BETWEEN_LOOKS);
        thread::sleep([left, next_look].into_iter().flatten().min()?);
    }
}

/// Ends the process, unless its end has been told.
fn end(diagnostic: &Diagnostic, console: &Console) {
    let diagnostics = std::slice::from_ref(diagnostic);
    let sources = SourceMap::default();
    let conclusion = Conclusion::new(diagnostics, &sources, None);
    if let Some(ending) = console.conclude_by_force(conclusion, PATIENCE) {
        // A compiler that somebody here is waiting for must not outlive this process.
        end_children();
        process::exit(i32::from(ending.code()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_may_pass_its_limit_by_a_little() {
        let usage = memory::usage().unwrap();
        assert!(MemoryLimit::new(usage * 2).look().is_none());
        let diagnostic = MemoryLimit::new(1).look().unwrap();
        assert_eq!((diagnostic.kind, diagnostic.span), (Kind::Memory, None));
        assert_eq!(MemoryLimit::new(u64::MAX).bound, u64::MAX);
        assert_eq!(MemoryLimit::new(32 << 30).bound, 33 << 30);
    }

    #[test]
    fn time_ends_the_watch_whether_memory_is_watched_or_not() {
        let time = Some(Duration::from_millis(1));
        let due = Mutex::new(Some(Instant::now()));
        for memory in [None, Some(MemoryLimit::new(u64::MAX))] {
            assert_eq!(watch(time, &due, memory, None).unwrap().kind, Kind::Time);
        }
        assert!(watch(time, &Mutex::new(None), None, None).is_none());
    }
}
