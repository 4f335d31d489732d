//! Signals that end the command from outside: what it has started is ended before it.
//!
//! Compilers and other people's implementations lead process groups of their own, so that the signal of a terminal does
//! not reach them, and a signal sent to the command alone does not either. Handlers only take a note; somebody who looks
//! often enough does the rest. As long as nobody looks, signals do what they did before, and those that whoever started
//! the command wants ignored stay ignored.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::low_level::emulate_default_handler;
use std::fs;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use vlad_compiler::toolchain::leave;

/// The signals that ask for the end.
const ENDING: [i32; 3] = [SIGHUP, SIGINT, SIGTERM];

/// Whether a signal is about to end the process.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// The longest that somebody waits for a signal that is about to end the process.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// Waits for the end if a signal is about to end the process. What waited for a compiler that is ended before that has come
/// to an end of its own, which is not the one to tell.
pub fn wait_if_ending() {
    let begun = Instant::now();
    while IS_ENDING.load(Ordering::SeqCst) && begun.elapsed() < LONGEST_WAIT {
        thread::sleep(Duration::from_millis(5));
    }
}

/// Whoever has this is who looks.
pub struct Signals {
    /// The number of the last signal; 0 if there was none.
    caught: Arc<AtomicUsize>,
    nobody_looks: Arc<AtomicBool>,
}

impl Signals {
    /// Takes note of signals from now on. Those that cannot be noted do what they did before.
    pub fn attend() -> Signals {
        let signals = Signals { caught: Arc::default(), nobody_looks: Arc::default() };
        let ignored = ignored();
        for signal in ENDING {
            if ignored & (1 << (signal - 1)) == 0 {
                let _ = signals.note(signal);
            }
        }
        signals
    }

    fn note(&self, signal: i32) -> io::Result<()> {
        // From the first of these on the signal does no more what it did before. So that is the one which notes it.
        flag::register_usize(signal, Arc::clone(&self.caught), signal.unsigned_abs() as usize)?;
        flag::register_conditional_default(signal, Arc::clone(&self.nobody_looks))?;
        Ok(())
    }

    /// Ends the process as the signal would have done, if one has come, and before it what it has started, after the last
    /// thing that is to be done.
    pub fn look(&self, last: impl FnOnce()) {
        if let Ok(signal @ 1..) = i32::try_from(self.caught.load(Ordering::Relaxed)) {
            IS_ENDING.store(true, Ordering::SeqCst);
            leave();
            last();
            // It comes back only if the signal cannot be raised; then it is tried again at the next look.
            let _ = emulate_default_handler(signal);
        }
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        self.nobody_looks.store(true, Ordering::Relaxed);
    }
}

/// The signals that this process was started to ignore, a bit each; none where the system does not tell.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let digits = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    digits.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok()).unwrap_or(0)
}
