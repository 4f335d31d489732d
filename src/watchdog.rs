//! The limits on time and memory as a last resort: a thread that ends the process when nobody else does.
//!
//! Engines look at the clock and the memory themselves, so as to say where in the program they were. They cannot while
//! they wait for input or output, and what reads, checks and prints a program does not look at all. So the watchdog
//! watches from before a program is loaded, and lets the limits be passed by a little before it tells the end in
//! the place of others. As it is awake anyway, it looks for signals as well ([`crate::signals`]), and whether the system
//! gives no more memory ([`crate::exhaustion`]).
//!
//! Invariant: nobody who does not read holds up the end. What may wait for a reader is done by another thread, for which
//! the watchdog waits some time and no longer.

use crate::console::Console;
use crate::ending::Ending;
use crate::exhaustion;
use crate::memory;
use crate::signals::Signals;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};
use vlad_compiler::toolchain::leave;
use vlad_shared::diagnostic::{Diagnostic, Kind};
use vlad_shared::run::{Limits, memory_limit_reached, no_memory};

/// The time that an engine has, after the limit, to notice it.
const GRACE: Duration = Duration::from_millis(80);

/// The time that the output has to take what was printed; what it has not taken then is lost.
const PATIENCE: Duration = Duration::from_millis(60);

/// The same where no limit of time is passed meanwhile: after a signal, and when whoever asks for memory waits for the end.
const LONG_PATIENCE: Duration = Duration::from_millis(500);

/// The time that the standard error has to take the error, where the output took none.
const LAST_PATIENCE: Duration = Duration::from_millis(40);

/// The time between two looks at the memory and for signals: too short to fill what the default limit leaves free.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// The least time between two looks, when memory is near its limit.
const LEAST_BETWEEN_LOOKS: Duration = Duration::from_millis(1);

/// The bytes that a process takes in that time, if it does nothing else.
const BYTES_BETWEEN_LOOKS: u64 = 4 << 20;

/// The part of the memory limit by which it may be passed before the watchdog acts: a thirty-second.
const MARGIN_PART: u64 = 32;

/// What the margin is at least: an engine takes that much between two looks of its own, however small its limit is.
const LEAST_MARGIN: u64 = 2 << 20;

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

    /// The time to the next look, by which the process cannot take much more than it may; none if it takes too much now.
    fn look(self) -> Option<Duration> {
        let left = self.bound.checked_sub(memory::usage().unwrap_or(0))?;
        let looks = u32::try_from(left / BYTES_BETWEEN_LOOKS).unwrap_or(u32::MAX);
        Some(LEAST_BETWEEN_LOOKS.saturating_mul(looks).clamp(LEAST_BETWEEN_LOOKS, BETWEEN_LOOKS))
    }

    /// The diagnostic of a memory limit that was reached nowhere in particular.
    fn reached(self) -> Diagnostic {
        memory_limit_reached(self.limit).at(None)
    }
}

impl Watchdog {
    /// Watches over limits from now on, until the console is concluded, and takes note of signals before anything else is
    /// done. What is unfinished when the process is ended is removed.
    pub fn start(limits: &Limits, console: &Arc<Console>) -> Watchdog {
        let watchdog = Watchdog { limit: limits.time, due: Arc::new(Mutex::new(due(limits.time))) };
        let (time, memory) = (limits.time, limits.memory.map(MemoryLimit::new));
        let due = Arc::clone(&watchdog.due);
        let console = Arc::clone(console);
        let signals = Signals::attend();
        let (sender, is_awake) = mpsc::channel();
        let started = thread::Builder::new().name("watchdog".to_owned()).spawn(move || {
            if let Some(memory) = memory {
                exhaustion::stop_at(memory.bound);
            }
            exhaustion::watch();
            // Whoever started the thread waits for this.
            let _ = sender.send(());
            let look = || {
                signals.look(|| {
                    let console = Arc::clone(&console);
                    in_time(LONG_PATIENCE, move || console.hand_on());
                });
            };
            let diagnostic = watch(time, &due, memory, &look);
            end(diagnostic, &console);
        });
        // Memory may be exhausted before another thread gets a processor, and must not be before it watches. Without a thread
        // to be had, the engine's own looks have to do, and signals do what they did before.
        if started.is_ok() {
            let _ = is_awake.recv();
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

/// Sleeps until time is up, however often it is granted again, or the memory is too much, or there is none, and tells
/// which. In between it looks for signals, which end the process.
fn watch(
    time: Option<Duration>,
    due: &Mutex<Option<Instant>>,
    memory: Option<MemoryLimit>,
    look_for_signals: &dyn Fn(),
) -> Diagnostic {
    loop {
        look_for_signals();
        if exhaustion::is_noticed() {
            return no_memory().at(None);
        }
        let pause = match memory {
            Some(limit) => match limit.look() {
                Some(pause) if !exhaustion::is_passed() => pause,
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

/// Does something that may wait for somebody who never reads, and gives it so long.
fn in_time<T: Send + 'static>(patience: Duration, work: impl Fn() -> T + Send + Sync + 'static) -> Option<T> {
    let work = Arc::new(work);
    let (sender, receiver) = mpsc::channel();
    let other = Arc::clone(&work);
    let started = thread::Builder::new().spawn(move || {
        exhaustion::tell();
        // Nobody may be waiting any more.
        let _ = sender.send(other());
    });
    match started {
        Ok(_) => receiver.recv_timeout(patience).ok(),
        // Without a thread to be had it is done here, however long it takes.
        Err(_) => Some(work()),
    }
}

/// Ends the process, unless its end has been told.
fn end(diagnostic: Diagnostic, console: &Arc<Console>) {
    let (teller, told) = (Arc::clone(console), diagnostic.clone());
    let waits = exhaustion::is_noticed() || exhaustion::is_passed();
    let patience = if waits { LONG_PATIENCE } else { PATIENCE };
    let ending = match in_time(patience, move || teller.conclude_by_force(&told)) {
        Some(Some(ending)) => ending,
        // Somebody else has told the end, and ends the process.
        Some(None) => return,
        None => {
            let teller = Arc::clone(console);
            in_time(LAST_PATIENCE, move || teller.complain_by_force(&diagnostic));
            Ending::Failure
        }
    };
    // A compiler that somebody here is waiting for must not outlive this process, and nothing unfinished either.
    leave();
    // Other threads are in the midst of something: nothing is taken down under them.
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
        assert_eq!(in_time(Duration::from_secs(60), || 1), Some(1));
        let begun = Instant::now();
        assert_eq!(in_time(Duration::from_millis(1), || thread::sleep(Duration::from_secs(60))), None);
        assert!(begun.elapsed() < Duration::from_secs(30));
    }
}
