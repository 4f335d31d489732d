//! Signals that end the command: the processes that it has started are ended first.
//!
//! Compilers and external implementations lead process groups of their own, so neither the signal of a terminal nor one
//! sent to the command alone reaches them. Handlers only set a flag; a thread that polls it often enough does the
//! rest. While no thread polls, signals have their default action; signals that the parent process had set to be
//! ignored stay ignored.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::low_level::emulate_default_handler;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{fs, io, thread};
use vlad_compiler::toolchain::leave;

/// The signals that end the process.
const ENDING: [i32; 3] = [SIGHUP, SIGINT, SIGTERM];

/// True while a signal is about to end the process.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// The longest wait for a signal that is about to end the process.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// Waits for the end if a signal is about to end the process. A thread whose compiler was ended for that reason sees an
/// error of its own, which must not be reported.
pub fn wait_if_ending() {
    let begun = Instant::now();
    while IS_ENDING.load(Ordering::SeqCst) && begun.elapsed() < LONGEST_WAIT {
        thread::sleep(Duration::from_millis(5));
    }
}

/// The signal handlers of the process; the owner polls them with [`Signals::look`].
pub struct Signals {
    /// The number of the last signal; 0 if there was none.
    caught: Arc<AtomicUsize>,
    nobody_looks: Arc<AtomicBool>,
}

impl Signals {
    /// Installs the handlers. Signals for which that fails keep their default action.
    pub fn attend() -> Signals {
        Signals::attend_to(&ENDING)
    }

    /// Installs those that are not the interrupt key's.
    pub fn attend_but_interrupts() -> Signals {
        Signals::attend_to(&[SIGHUP, SIGTERM])
    }

    fn attend_to(ending: &[i32]) -> Signals {
        let signals = Signals { caught: Arc::default(), nobody_looks: Arc::default() };
        let ignored = ignored();
        for &signal in ending {
            if ignored & (1 << (signal - 1)) == 0 {
                let _ = signals.note(signal);
            }
        }
        signals
    }

    fn note(&self, signal: i32) -> io::Result<()> {
        // The first registration replaces the default action of the signal, so it must be the one that records it.
        flag::register_usize(signal, Arc::clone(&self.caught), signal.unsigned_abs() as usize)?;
        flag::register_conditional_default(signal, Arc::clone(&self.nobody_looks))?;
        Ok(())
    }

    /// If a signal has come, ends the processes that this one has started, runs `last`, and ends this process as the
    /// signal would have done.
    pub fn look(&self, last: impl FnOnce()) {
        if let Ok(signal @ 1..) = i32::try_from(self.caught.load(Ordering::Relaxed)) {
            IS_ENDING.store(true, Ordering::SeqCst);
            leave();
            last();
            // This returns only if the signal cannot be raised; the next call tries again.
            let _ = emulate_default_handler(signal);
        }
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        self.nobody_looks.store(true, Ordering::Relaxed);
    }
}

/// Returns the signals that this process was started to ignore, one bit each; none where the system does not report
/// them.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let digits = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    digits.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok()).unwrap_or(0)
}
