//! The time limit as a last resort: a thread that ends the process when the engine does not.
//!
//! Engines look at the clock themselves, so as to say where in the program they were. They cannot while they wait for
//! input or output. So the watchdog lets some time pass over the limit before it tells the end in their place.

use crate::console::{Conclusion, Console};
use std::process;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use vlad_shared::diagnostic::{Diagnostic, Kind};
use vlad_shared::source::SourceMap;

/// The time that an engine has, after the limit, to notice it.
const GRACE: Duration = Duration::from_millis(150);

/// The time for which the watchdog waits for the output to be free.
const PATIENCE: Duration = Duration::from_millis(100);

/// A time limit that is being watched, if there is one.
pub struct Watchdog {
    limit: Option<Duration>,
    /// When the watchdog acts; none if that is beyond the clock.
    due: Arc<Mutex<Option<Instant>>>,
}

impl Watchdog {
    /// Watches over a limit from now on, until the console is concluded.
    pub fn start(limit: Option<Duration>, console: &Arc<Console>) -> Watchdog {
        let watchdog = Watchdog { limit, due: Arc::new(Mutex::new(due(limit))) };
        if let Some(limit) = limit {
            let due = Arc::clone(&watchdog.due);
            let console = Arc::clone(console);
            // Without a thread to be had, the engine's own looks at the clock have to do.
            let _ = thread::Builder::new().name("watchdog".to_owned()).spawn(move || watch(limit, &due, &console));
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

/// Sleeps until time is up, however often it is granted again, and ends the process unless that has been done.
fn watch(limit: Duration, due: &Mutex<Option<Instant>>, console: &Console) {
    loop {
        let Some(due) = *lock(due) else { return };
        match due.checked_duration_since(Instant::now()) {
            Some(left) if !left.is_zero() => thread::sleep(left),
            Some(_) | None => break,
        }
    }
    let message = format!("the time limit of {} s is reached", limit.as_secs_f64());
    let diagnostics = [Diagnostic::new(Kind::Time, None, message)];
    let conclusion = Conclusion { diagnostics: &diagnostics, sources: &SourceMap::default(), steps: None };
    if let Some(ending) = console.conclude_by_force(conclusion, PATIENCE) {
        process::exit(i32::from(ending.code()));
    }
}
