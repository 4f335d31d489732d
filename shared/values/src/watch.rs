//! The limit check: periodic checks of time and memory, and of the request to restart the run on another engine.

use crate::fault::{RuntimeError, memory_limit_reached};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use vlad_core::diagnostic::Kind;

/// The bounds that are checked periodically.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounds {
    /// The bytes of the process's resident memory above which continuing is an error.
    pub memory: Option<u64>,
    /// The time after which continuing is an error.
    pub time: Option<Duration>,
    /// The start of the time; none if it is the start of the run.
    pub begun: Option<Instant>,
    /// The request to abandon the run, which is restarted on another engine.
    pub abandonment: Option<RestartSignal>,
}

/// The limit check of an engine: clock, memory and cancellation.
#[derive(Clone, Debug)]
pub struct LimitCheck {
    deadline: Option<(Instant, Duration)>,
    abandonment: Option<RestartSignal>,
    memory: Option<u64>,
    /// The time of the last memory check; none if there was none.
    memory_seen: Option<Instant>,
    /// The work reported since the last check.
    work: u32,
}

/// The least time between two memory checks, which ask the system: so short that a run takes no more than a megabyte or
/// so in between.
const BETWEEN_LOOKS_AT_MEMORY: Duration = Duration::from_micros(500);

/// The units of work (steps, or positions of a traversed datum) between two checks.
const WORK_BETWEEN_LOOKS: u32 = 1 << 13;

impl Default for LimitCheck {
    /// Without bounds.
    fn default() -> LimitCheck {
        LimitCheck::new(&Bounds::default())
    }
}

impl LimitCheck {
    /// A check of the given limits, whose time starts now unless they give its start.
    pub fn new(bounds: &Bounds) -> LimitCheck {
        // Not every machine has a clock, so it is read only if there is a limit.
        let deadline = |time| Some((bounds.begun.unwrap_or_else(Instant::now).checked_add(time)?, time));
        let deadline = bounds.time.and_then(deadline);
        LimitCheck { deadline, abandonment: bounds.abandonment, memory: bounds.memory, memory_seen: None, work: 0 }
    }

    /// The limit of the memory, if there is one.
    pub fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// Counts a unit of work that is not a step (a position of a traversed datum), and checks the limits periodically.
    ///
    /// # Errors
    /// Returns kind and message of a limit that has been passed.
    #[inline]
    pub fn work(&mut self) -> Result<(), RuntimeError> {
        self.work += 1;
        if self.work < WORK_BETWEEN_LOOKS {
            return Ok(());
        }
        self.look()
    }

    /// Checks that the memory limit leaves room for bytes that are about to be filled. It is not a periodic check, so that
    /// the error has a place even if filling them would take no step.
    ///
    /// # Errors
    /// Returns kind and message of the limit if they would pass it.
    #[cold]
    pub fn room(&self, bytes: u64) -> Result<(), RuntimeError> {
        let Some(limit) = self.memory else { return Ok(()) };
        let usage = memory_stats::memory_stats().map_or(0, |usage| usage.physical_mem as u64);
        if usage.saturating_add(bytes) > limit { Err(memory_limit_reached(limit)) } else { Ok(()) }
    }

    /// Checks the limits at once; memory only if its last check is long enough ago.
    ///
    /// # Errors
    /// Returns kind and message of a limit that has been passed.
    #[cold]
    pub fn look(&mut self) -> Result<(), RuntimeError> {
        self.work = 0;
        if self.abandonment.is_some_and(RestartSignal::is_said) {
            return Err(RuntimeError::new(Kind::Abandoned, "the run goes on with another engine"));
        }
        if self.deadline.is_none() && self.memory.is_none() {
            return Ok(());
        }
        let now = Instant::now();
        if let Some((deadline, time)) = self.deadline
            && now >= deadline
        {
            return Err(RuntimeError::new(
                Kind::Time,
                format!("the time limit of {} s is reached", time.as_secs_f64()),
            ));
        }
        if let Some(limit) = self.memory
            && self.memory_seen.is_none_or(|seen| now.duration_since(seen) >= BETWEEN_LOOKS_AT_MEMORY)
        {
            self.memory_seen = Some(now);
            if memory_stats::memory_stats().is_some_and(|usage| usage.physical_mem as u64 > limit) {
                return Err(memory_limit_reached(limit));
            }
        }
        Ok(())
    }
}

/// The signal to abandon a run. Its flag is static, since runs poll it from many places.
#[derive(Clone, Copy, Debug)]
pub struct RestartSignal(&'static AtomicBool);

impl RestartSignal {
    /// A signal that is not raised yet. It takes a byte for the lifetime of the process.
    #[must_use]
    pub fn unsaid() -> RestartSignal {
        RestartSignal(Box::leak(Box::new(AtomicBool::new(false))))
    }

    /// Raises the signal: the engine abandons the run at its next check of the clock.
    pub fn say(self) {
        self.0.store(true, Ordering::Release);
    }

    /// Returns true if the signal is raised.
    #[must_use]
    pub fn is_said(self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_what_the_limit_leaves() {
        let within = |memory| LimitCheck::new(&Bounds { memory, ..Bounds::default() });
        assert!(within(None).room(u64::MAX).is_ok());
        assert!(within(Some(1 << 40)).room(1 << 20).is_ok());
        assert!(within(Some(1 << 40)).room(1 << 40).is_err_and(|fault| fault.kind == Kind::Memory));
    }
}
