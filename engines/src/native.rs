//! Programs on the native engine: runs that go on with other code where specialised code gives an item up.
//!
//! An object holds the specialised code of items, and blocks only for what is not specialised. If specialised code
//! gives an item up, the run begins again, with its effects replayed ([`Restartable`]), with an object in which that
//! item and all after it are blocks; the items before it are specialised as they were. A program that was compiled for
//! machines without a compiler has one object for that, in which everything is blocks. If there is no such object, the
//! hybrid engine runs the program.

use super::task::Task;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use vlad_compiler::compiled::cache::Object;
use vlad_compiler::{Loaded, Settings, loaded};
use vlad_core::diagnostic::Diagnostic;
use vlad_runtime::restart::Restartable;
use vlad_runtime::run::{Host, Limits, Report};
use vlad_runtime::suspended::{PartEnd, PartRequest};
use vlad_table::internal_bug;
use vlad_values::watch::RestartSignal;

/// The source of the object with which a run goes on after an item was given up.
#[derive(Debug)]
enum Successor {
    /// The compiler, with these settings.
    Compiled(Settings),
    /// The bytes of an object without specialised code; none if there is no such object.
    Kept(Option<Vec<u8>>),
}

/// A program that is compiled and loaded.
#[derive(Debug)]
pub struct Native {
    pub(super) loaded: Loaded,
    successor: Successor,
    /// The object that was needed last because an item was given up, and the item.
    other: Mutex<Option<(usize, Loaded)>>,
    /// The items that the last run gave up, with the reasons.
    given_up: Mutex<Vec<Diagnostic>>,
}

impl Native {
    /// Creates a program from its object, and from the settings with which it was compiled.
    #[must_use]
    pub fn new(loaded: Loaded, settings: &Settings) -> Native {
        Native::with_successor(loaded, Successor::Compiled(settings.clone()))
    }

    /// Creates a program that never calls a compiler, from its object and the bytes of an object of the same program
    /// without specialised code, which is loaded when an item is given up.
    #[must_use]
    pub fn without_compiler(loaded: Loaded, tagged: Option<Vec<u8>>) -> Native {
        Native::with_successor(loaded, Successor::Kept(tagged))
    }

    fn with_successor(loaded: Loaded, successor: Successor) -> Native {
        Native { loaded, successor, other: Mutex::default(), given_up: Mutex::default() }
    }

    /// The items that specialised code gave up in the last run, each with its place and the reason.
    #[must_use]
    pub fn given_up(&self) -> Vec<Diagnostic> {
        self.given_up.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The object.
    #[must_use]
    pub fn loaded(&self) -> &Loaded {
        &self.loaded
    }

    /// Runs the whole program.
    pub(super) fn run(&self, task: Task<'_>, host: &mut dyn Host) -> Report {
        match self.run_part(task, host, PartRequest::default()) {
            PartEnd::Ended(report) => report,
            PartEnd::Suspended(_) => internal_bug!("a run is suspended where that is asked for"),
        }
    }

    /// Runs a part of the program, which must have been compiled for parts of its scope.
    pub(super) fn run_part(&self, task: Task<'_>, host: &mut dyn Host, part: PartRequest) -> PartEnd {
        if !self.loaded.is_specialised() {
            return self.loaded.run_part(task.program, host, task.limits, part);
        }
        // The time limit holds for all that follows.
        let begun = task.limits.begun.unwrap_or_else(Instant::now);
        let task = Task { limits: &Limits { begun: Some(begun), ..*task.limits }, ..task };
        let mut host = Restartable::new(host, &|| true);
        let mut given_up = Vec::new();
        let mut loaded = self.loaded.clone();
        loop {
            let end = loaded.run_part(task.program, &mut host, task.limits, part.clone());
            let bailout = match &end {
                PartEnd::Ended(report) => report.abandonment(),
                PartEnd::Suspended(_) => None,
            };
            let is_abandoned = task.limits.abandonment.is_some_and(RestartSignal::is_said);
            given_up.extend(bailout.filter(|_| !is_abandoned).cloned());
            self.given_up.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&given_up);
            if bailout.is_none() || is_abandoned {
                return end;
            }
            match self.without(host.restart(), task) {
                Some(other) => loaded = other,
                None => return vlad_hybrid::run_part(task.program, &mut host, task.limits, part),
            }
        }
    }

    /// The program without specialised code for an item and all after it; none if there is no object of it.
    fn without(&self, item: usize, task: Task<'_>) -> Option<Loaded> {
        let mut other = self.other.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, loaded)) = &*other
            && *of == item
        {
            return Some(loaded.clone());
        }
        let compiled = vlad_compiler::Task::with_limits(task.program, task.limits);
        let loaded = match &self.successor {
            Successor::Compiled(settings) => {
                let compiled = vlad_compiler::Task { tagged_from: Some(item), ..compiled };
                vlad_compiler::compile(&[compiled], settings).ok()?.pop()?
            }
            Successor::Kept(bytes) => loaded(Object::of_bytes(bytes.as_deref()?).ok()?, &[compiled]).pop()?,
        };
        *other = Some((item, loaded.clone()));
        Some(loaded)
    }
}
