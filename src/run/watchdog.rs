//! The limits on time and memory as a last resort: a thread that ends the process when no engine does.
//!
//! Engines check the clock and the memory themselves, so that the error has a place in the program. They cannot do so
//! while they wait for input or output, and the code that reads, checks and prints programs does not check at all. So
//! the watchdog runs from before a program is loaded, and lets the limits be exceeded by a little before it reports the
//! end in place of the others. The same thread polls for signals ([`crate::process::signals`]) and for exhausted memory
//! ([`crate::process::exhaustion`]).
//!
//! Invariant: a reader that does not read cannot delay the end. Work that may block on a reader is done by another
//! thread, for which the watchdog waits a bounded time.

use crate::output::console::Console;
use crate::process::exhaustion;
use crate::process::exit::Exit;
use crate::process::interruption::Interruption;
use crate::process::memory;
use crate::process::signals::Signals;
use crate::process::threads;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};
use vlad_compiler::toolchain::leave;
use vlad_shared::core::diagnostic::{Diagnostic, Kind};
use vlad_shared::runtime::run::Limits;
use vlad_shared::values::fault::{memory_limit_reached, no_memory};

/// The time that an engine has after the limit to report it.
const GRACE: Duration = Duration::from_millis(80);

/// The time to write what was printed; what is not written by then is lost.
const PATIENCE: Duration = Duration::from_millis(60);

/// The same where no time limit is being exceeded: after a signal, and when a thread whose allocation failed waits for
/// the end.
const LONG_PATIENCE: Duration = Duration::from_millis(500);

/// The time to write the error to the standard error, after the output was not written in time.
const LAST_PATIENCE: Duration = Duration::from_millis(40);

/// The time to write the report of many runs, in place of that.
const PATIENCE_FOR_REPORTS: Duration = Duration::from_secs(20);

/// The time between two checks of the memory and of signals: too short to fill the memory that the default limit leaves
/// free.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// The least time between two checks, when memory is near its limit.
const LEAST_BETWEEN_LOOKS: Duration = Duration::from_millis(1);

/// The bytes that a process can fill in [`LEAST_BETWEEN_LOOKS`], if it does nothing else.
const BYTES_BETWEEN_LOOKS: u64 = 4 << 20;

/// The fraction of the memory limit by which it may be exceeded before the watchdog acts: one thirty-second.
const MARGIN_PART: u64 = 32;

/// The least margin: an engine takes that much between two checks of its own, however small its limit is.
const LEAST_MARGIN: u64 = 2 << 20;

/// The report of a command that the watchdog ends, for a reason.
pub type LastWords = Box<dyn Fn(&Diagnostic) -> Option<Exit> + Send + Sync>;

/// The limits on time and memory, as far as there are any, that a thread watches.
pub struct Watchdog {
    limit: Option<Duration>,
    /// The deadline; none if there is no time limit, or if the deadline is beyond the range of the clock.
    due: Arc<Mutex<Option<Instant>>>,
}

/// The memory limit, as the watching thread sees it.
#[derive(Clone, Copy)]
struct MemoryLimit {
    /// The limit that was set, for the error message.
    limit: u64,
    /// The resident memory above which the watchdog acts.
    bound: u64,
}

impl MemoryLimit {
    fn new(limit: u64) -> MemoryLimit {
        MemoryLimit { limit, bound: limit.saturating_add((limit / MARGIN_PART).max(LEAST_MARGIN)) }
    }

    /// Returns the time until the next check, in which the process cannot exceed the bound by much; none if it exceeds
    /// it now.
    fn look(self) -> Option<Duration> {
        let left = self.bound.checked_sub(memory::usage().unwrap_or(0))?;
        let looks = u32::try_from(left / BYTES_BETWEEN_LOOKS).unwrap_or(u32::MAX);
        Some(LEAST_BETWEEN_LOOKS.saturating_mul(looks).clamp(LEAST_BETWEEN_LOOKS, BETWEEN_LOOKS))
    }

    /// The diagnostic of a reached memory limit, without a place.
    fn reached(self) -> Diagnostic {
        memory_limit_reached(self.limit).at(None)
    }
}

impl Watchdog {
    /// Watches the limits from now until the console is concluded. Signal handlers are installed before this returns.
    /// If the watchdog ends the process, partial files are removed.
    pub fn start(limits: &Limits, console: &Arc<Console>) -> Watchdog {
        Watchdog::start_with(limits, console, Signals::attend(), || (), None)
    }

    /// Does the same for a command with a report of its own, which `last_words` writes when the watchdog ends the process. They
    /// return none if they have nothing to say.
    pub fn start_for_report(limits: &Limits, console: &Arc<Console>, last_words: LastWords) -> Watchdog {
        Watchdog::start_with(limits, console, Signals::attend(), || (), Some(last_words))
    }

    /// Does the same for a session at a terminal, where the interrupt key ends evaluations and not the process.
    pub fn start_for_session(limits: &Limits, console: &Arc<Console>, interruption: Arc<Interruption>) -> Watchdog {
        Watchdog::start_with(limits, console, Signals::attend_but_interrupts(), move || interruption.look(), None)
    }

    /// Starts the thread, which calls `look_further` whenever it looks for signals.
    fn start_with(
        limits: &Limits,
        console: &Arc<Console>,
        signals: Signals,
        look_further: impl Fn() + Send + 'static,
        last_words: Option<LastWords>,
    ) -> Watchdog {
        let watchdog = Watchdog { limit: limits.time, due: Arc::new(Mutex::new(due(limits.time))) };
        let (time, memory) = (limits.time, limits.memory.map(MemoryLimit::new));
        let due = Arc::clone(&watchdog.due);
        let console = Arc::clone(console);
        let (sender, is_awake) = mpsc::channel();
        exhaustion::make_way();
        let started = threads::named("watchdog").spawn(move || {
            if let Some(memory) = memory {
                exhaustion::stop_at(memory.bound);
            }
            exhaustion::watch();
            // The thread that starts this one waits for this message.
            let _ = sender.send(());
            let look = || {
                look_further();
                signals.look(|| {
                    let console = Arc::clone(&console);
                    with_timeout(LONG_PATIENCE, move || console.flush_before_exit());
                });
            };
            let diagnostic = watch(time, &due, memory, &look);
            end(diagnostic, &console, last_words);
        });
        // The thread must watch before memory can be exhausted, and may get a processor only after that. If no thread
        // can be had, the checks of the engine have to suffice, and signals keep their default action.
        if started.is_ok() {
            let _ = is_awake.recv();
        }
        watchdog
    }

    /// Stops the time until [`Watchdog::restart`]: nothing is running.
    pub fn rest(&self) {
        *lock(&self.due) = None;
    }

    /// Starts the time limit anew.
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

/// The diagnostic of a reached time limit, without a place.
pub fn time_limit_reached(limit: Duration) -> Diagnostic {
    Diagnostic::new(Kind::Time, None, format!("the time limit of {} s is reached", limit.as_secs_f64()))
}

/// Sleeps until the time is up (a deadline that is put off is respected), memory exceeds its bound or is exhausted, and
/// returns the diagnostic of that. In between it polls for signals, which end the process.
fn watch(
    time: Option<Duration>,
    due: &Mutex<Option<Instant>>,
    memory: Option<MemoryLimit>,
    look_for_signals: &dyn Fn(),
) -> Diagnostic {
    loop {
        look_for_signals();
        if exhaustion::is_exhausted() {
            return no_memory().at(None);
        }
        let pause = match memory {
            Some(limit) => match limit.look() {
                Some(pause) if !exhaustion::is_limit_exceeded() => pause,
                Some(_) | None => return limit.reached(),
            },
            None => BETWEEN_LOOKS,
        };
        let left = lock(due).map(|due| due.saturating_duration_since(Instant::now()));
        if let (Some(time), Some(Duration::ZERO)) = (time, left) {
            return time_limit_reached(time);
        }
        thread::sleep(left.map_or(pause, |left| left.min(pause)));
    }
}

/// Runs `work`, which may block on a reader, in another thread, and returns its result if it is done within `patience`.
fn with_timeout<T: Send + 'static>(patience: Duration, work: impl Fn() -> T + Send + Sync + 'static) -> Option<T> {
    let work = Arc::new(work);
    let (sender, receiver) = mpsc::channel();
    let other = Arc::clone(&work);
    let started = threads::named("report").spawn(move || {
        exhaustion::tell();
        // The receiver may have given up.
        let _ = sender.send(other());
    });
    match started {
        Ok(_) => receiver.recv_timeout(patience).ok(),
        // If no thread can be had, the work is done here, however long it takes.
        Err(_) => Some(work()),
    }
}

/// Reports a diagnostic and ends the process, unless the end has been reported already.
fn end(diagnostic: Diagnostic, console: &Arc<Console>, last_words: Option<LastWords>) {
    let (teller, told) = (Arc::clone(console), diagnostic.clone());
    let waits = exhaustion::is_exhausted() || exhaustion::is_limit_exceeded();
    let patience = match last_words {
        Some(_) => PATIENCE_FOR_REPORTS,
        None if waits => LONG_PATIENCE,
        None => PATIENCE,
    };
    let conclude = move || match last_words.as_ref().and_then(|last_words| last_words(&told)) {
        Some(ending) => Some(ending),
        None => teller.conclude_by_force(&told),
    };
    let ending = match with_timeout(patience, conclude) {
        Some(Some(ending)) => ending,
        // Another thread has reported the end, and ends the process.
        Some(None) => return,
        None => {
            let teller = Arc::clone(console);
            with_timeout(LAST_PATIENCE, move || teller.complain_by_force(&diagnostic));
            Exit::Failure
        }
    };
    // Neither a compiler that another thread waits for nor a partial file may outlive this process.
    leave();
    // Other threads are still running, so destructors are not run.
    signal_hook::low_level::exit(i32::from(ending.code()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_may_pass_its_limit_by_a_little() {
        let usage = memory::usage().unwrap();
        assert_eq!(MemoryLimit::new(usage + (1 << 30)).look(), Some(BETWEEN_LOOKS));
        // The nearer the limit, the sooner the next look.
        assert!(MemoryLimit::new(usage).look().unwrap() < BETWEEN_LOOKS);
        assert_eq!(MemoryLimit::new(1).look(), None);
        let diagnostic = MemoryLimit::new(1).reached();
        assert_eq!((diagnostic.kind, diagnostic.span), (Kind::Memory, None));
        assert_eq!(MemoryLimit::new(u64::MAX).bound, u64::MAX);
        assert_eq!(MemoryLimit::new(32 << 30).bound, 33 << 30);
    }

    #[test]
    fn time_ends_the_watch_whether_memory_is_watched_or_not() {
        let time = Some(Duration::from_millis(1));
        let due = Mutex::new(Some(Instant::now()));
        for memory in [None, Some(MemoryLimit::new(u64::MAX))] {
            assert_eq!(watch(time, &due, memory, &|| ()).kind, Kind::Time);
        }
    }

    #[test]
    fn nobody_is_waited_for_longer_than_that() {
        assert_eq!(with_timeout(Duration::from_secs(60), || 1), Some(1));
        let begun = Instant::now();
        assert_eq!(with_timeout(Duration::from_millis(1), || thread::sleep(Duration::from_secs(60))), None);
        assert!(begun.elapsed() < Duration::from_secs(30));
    }
}
