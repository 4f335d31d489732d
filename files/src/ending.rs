//! The names of what is unfinished, and the end of the process.
//!
//! A process that is ended from outside, or by a limit, has threads in the midst of something. Whoever ends it calls
//! [`leave`]: that waits for a name that is being given or taken away, removes what is unfinished, and keeps the lock, so that
//! other threads make nothing more: they wait for the end.
//!
//! The names are state of the process, since they are there until the process removes them, whichever thread made them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

/// The longest that the end waits for another thread, which may wait for a slow file system, or end the process, too.
const PATIENCE: Duration = Duration::from_millis(250);

/// How long a folder is tried to be removed in which a program that was just ended may still have made a file.
const PATIENCE_WITH_FOLDERS: Duration = Duration::from_millis(100);

/// The pause between two trials.
const PAUSE: Duration = Duration::from_millis(1);

/// The names of what is unfinished.
static NAMES: Mutex<Vec<Unfinished>> = Mutex::new(Vec::new());

/// Something that has a name and is not to stay.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Unfinished {
    File(PathBuf),
    Folder(PathBuf),
}

impl Unfinished {
    fn path(&self) -> &Path {
        match self {
            Unfinished::File(path) | Unfinished::Folder(path) => path,
        }
    }

    /// Removes it; what cannot be removed is left.
    fn remove(&self) {
        match self {
            Unfinished::File(path) => drop(fs::remove_file(path)),
            Unfinished::Folder(path) => {
                let begun = Instant::now();
                while fs::remove_dir_all(path).is_err_and(|error| error.kind() != io::ErrorKind::NotFound)
                    && begun.elapsed() < PATIENCE_WITH_FOLDERS
                {
                    thread::sleep(PAUSE);
                }
            }
        }
    }
}

/// The right to give and take away names: as long as one thread has it, nobody ends the process through [`leave`].
#[derive(Debug)]
pub(crate) struct Names(MutexGuard<'static, Vec<Unfinished>>);

impl Names {
    /// Waits for the right; for ever if the process is ending.
    pub(crate) fn lock() -> Names {
        Names(NAMES.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn note_file(&mut self, path: &Path) {
        self.0.push(Unfinished::File(path.to_owned()));
    }

    pub(crate) fn note_folder(&mut self, path: &Path) {
        self.0.push(Unfinished::Folder(path.to_owned()));
    }

    /// Forgets a name: what had it is whole, or gone.
    pub(crate) fn forget(&mut self, path: &Path) {
        self.0.retain(|unfinished| unfinished.path() != path);
    }

    /// Removes what has a name, if it is unfinished.
    pub(crate) fn remove(&mut self, path: &Path) {
        if let Some(place) = self.0.iter().position(|unfinished| unfinished.path() == path) {
            self.0.swap_remove(place).remove();
        }
    }
}

/// Does something that would leave a trace if the process ended in its midst, such as starting a program: it is done before the
/// end, or not at all. It must not take long.
pub fn before_the_end<T>(work: impl FnOnce() -> T) -> T {
    let _names = Names::lock();
    work()
}

/// Removes what is unfinished, after `first`, on the way out of the process: from now on nothing is made, placed or started, and
/// whoever tries waits for the end. `first` ends the programs that could still make files.
pub fn leave(first: impl FnOnce()) {
    let names = lock_in_time();
    first();
    if let Some(mut names) = names {
        names.drain(..).for_each(|unfinished| unfinished.remove());
        std::mem::forget(names);
    }
}

/// The lock, if it can be had in time: whoever has it may never give it back.
fn lock_in_time() -> Option<MutexGuard<'static, Vec<Unfinished>>> {
    let begun = Instant::now();
    loop {
        match NAMES.try_lock() {
            Ok(names) => return Some(names),
            Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => return None,
        }
    }
}
