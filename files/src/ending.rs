//! The names of partial files, and the termination of the process.
//!
//! A process that is terminated by a signal or by a limit has other threads that are still working. The thread that
//! terminates it calls [`leave`]. That waits until no name is being made or removed, removes partial files, and keeps
//! the lock, so that other threads can make no more files: they wait until the process ends.
//!
//! The names are state of the process, since they exist until the process removes them, whichever thread made them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

/// The longest wait for another thread, which may be waiting for a slow file system, or terminating the process as
/// well.
const PATIENCE: Duration = Duration::from_millis(250);

/// The time for which removing a folder is tried again: a program that was just ended may still have made a file in it.
const PATIENCE_WITH_FOLDERS: Duration = Duration::from_millis(100);

/// The pause between two trials.
const PAUSE: Duration = Duration::from_millis(1);

/// The names of partial files and of temporary folders.
static NAMES: Mutex<Vec<Partial>> = Mutex::new(Vec::new());

/// A file or folder that is not to outlive the process.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Partial {
    File(PathBuf),
    Folder(PathBuf),
}

impl Partial {
    fn path(&self) -> &Path {
        match self {
            Partial::File(path) | Partial::Folder(path) => path,
        }
    }

    /// Removes it; if that fails, it stays.
    fn remove(&self) {
        match self {
            Partial::File(path) => drop(fs::remove_file(path)),
            Partial::Folder(path) => {
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

/// The lock on making and removing names: while a thread holds it, no other one terminates the process through
/// [`leave`].
#[derive(Debug)]
pub(crate) struct Names(MutexGuard<'static, Vec<Partial>>);

impl Names {
    /// Acquires the lock; blocks forever if the process is terminating.
    pub(crate) fn lock() -> Names {
        Names(NAMES.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn note_file(&mut self, path: &Path) {
        self.0.push(Partial::File(path.to_owned()));
    }

    pub(crate) fn note_folder(&mut self, path: &Path) {
        self.0.push(Partial::Folder(path.to_owned()));
    }

    /// Forgets a name, since its file is complete or removed.
    pub(crate) fn forget(&mut self, path: &Path) {
        self.0.retain(|unfinished| unfinished.path() != path);
    }

    /// Removes a file or folder if its name is recorded.
    pub(crate) fn remove(&mut self, path: &Path) {
        if let Some(place) = self.0.iter().position(|unfinished| unfinished.path() == path) {
            self.0.swap_remove(place).remove();
        }
    }
}

/// Runs `work`, which must not be cut off by the end of the process, such as starting a program: it is done completely
/// before the process ends, or not at all. It must not take long.
pub fn before_the_end<T>(work: impl FnOnce() -> T) -> T {
    let _names = Names::lock();
    work()
}

/// Runs `first`, which ends the programs that could still make files, and removes partial files and temporary folders;
/// called before the process ends. Afterwards no file is made or placed and no program is started: a thread that tries
/// to waits until the process ends.
pub fn leave(first: impl FnOnce()) {
    let names = lock_in_time();
    first();
    if let Some(mut names) = names {
        names.drain(..).for_each(|unfinished| unfinished.remove());
        std::mem::forget(names);
    }
}

/// Returns the lock if it can be acquired in time: its holder may never release it.
fn lock_in_time() -> Option<MutexGuard<'static, Vec<Partial>>> {
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
