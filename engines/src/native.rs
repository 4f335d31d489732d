//! Programs on the native engine: runs that go on with other code where specialised code gives an item up.
//!
//! An object holds the specialised code of items, and blocks only for what is not specialised. If specialised code
//! gives an item up, the run begins again, with its effects replayed ([`Restartable`]), with an object in which that
//! item and all after it are blocks; the items before it are specialised as they were. If that object cannot be had,
//! the hybrid engine runs the program.

use super::{Settings, Task};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use vlad_compiler::Loaded;
use vlad_runtime::restart::Restartable;
use vlad_runtime::run::{Host, Limits, Report};
use vlad_values::watch::RestartSignal;

/// A program that is compiled and loaded.
#[derive(Debug)]
pub struct Native {
    pub(super) loaded: Loaded,
    settings: Settings,
    /// The object that was needed last because an item was given up, and the item.
    other: Mutex<Option<(usize, Loaded)>>,
}

impl Native {
    /// Creates a program from its object, and from the settings with which it was compiled.
    #[must_use]
    pub fn new(loaded: Loaded, settings: &Settings) -> Native {
        Native { loaded, settings: settings.clone(), other: Mutex::default() }
    }

    /// The object.
    #[must_use]
    pub fn loaded(&self) -> &Loaded {
        &self.loaded
    }

    /// Runs the whole program.
    pub(super) fn run(&self, task: Task<'_>, host: &mut dyn Host) -> Report {
        if !self.loaded.is_specialised() {
            return self.loaded.run(task.program, host, task.limits);
        }
        // The time limit holds for all that follows.
        let begun = task.limits.begun.unwrap_or_else(Instant::now);
        let task = Task { limits: &Limits { begun: Some(begun), ..*task.limits }, ..task };
        let mut host = Restartable::new(host, &|| true);
        let mut loaded = self.loaded.clone();
        loop {
            let report = loaded.run(task.program, &mut host, task.limits);
            let is_asked_for = task.limits.abandonment.is_some_and(RestartSignal::is_said);
            if !report.is_abandoned() || is_asked_for {
                return report;
            }
            match self.without(host.restart(), task) {
                Some(other) => loaded = other,
                None => return vlad_hybrid::run(task.program, &mut host, task.limits),
            }
        }
    }

    /// The program without specialised code for an item and all after it; none if it cannot be compiled.
    fn without(&self, item: usize, task: Task<'_>) -> Option<Loaded> {
        let mut other = self.other.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, loaded)) = &*other
            && *of == item
        {
            return Some(loaded.clone());
        }
        let compiled = vlad_compiler::Task::with_limits(task.program, task.limits);
        let compiled = vlad_compiler::Task { tagged_from: Some(item), ..compiled };
        let loaded = vlad_compiler::compile(&[compiled], &self.settings).ok()?.pop()?;
        *other = Some((item, loaded.clone()));
        Some(loaded)
    }
}
