//! The interrupt key (SIGINT) during a session at a terminal: it ends the evaluation and keeps the session.
//!
//! The handler sets a flag. The watchdog polls it and raises the signal on which the running engine abandons the
//! evaluation; while numbers are typed, the input polls it itself.

use signal_hook::consts::SIGINT;
use signal_hook::flag;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use vlad_shared::values::watch::RestartSignal;

/// The state of the interrupt key.
#[derive(Default)]
pub struct Interruption {
    /// True from the moment the key is pressed until an evaluation begins.
    is_pressed: Arc<AtomicBool>,
    /// The signal that abandons the evaluation that is running, if one is.
    running: Mutex<Option<RestartSignal>>,
}

impl Interruption {
    /// Installs the handler. If that fails, the key ends the command.
    pub fn attend() -> Arc<Interruption> {
        let interruption = Interruption::default();
        let _ = flag::register(SIGINT, Arc::clone(&interruption.is_pressed));
        Arc::new(interruption)
    }

    /// Begins an evaluation.
    pub fn begin(&self) {
        self.is_pressed.store(false, Ordering::SeqCst);
    }

    /// Returns the signal on which the engine that runs from now on has to abandon the evaluation.
    pub fn signal(&self) -> RestartSignal {
        let signal = RestartSignal::unsaid();
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = Some(signal);
        signal
    }

    /// Ends the evaluation.
    pub fn end(&self) {
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Returns true if the key has been pressed since the evaluation began.
    pub fn is_pressed(&self) -> bool {
        self.is_pressed.load(Ordering::SeqCst)
    }

    /// Abandons the evaluation that is running if the key has been pressed.
    pub fn look(&self) {
        if self.is_pressed() {
            let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(signal) = *running {
                signal.say();
            }
        }
    }
}
