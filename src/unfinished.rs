//! The file that is being made, which is not left behind when the process is ended.
//!
//! Invariant: from the moment it is there until it stands in its place or is given up, the file is known to whoever may end
//! the process; and from then on none is made or placed.

use std::fs::{self, File};
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The file that is being made, if there is one.
#[derive(Clone, Debug, Default)]
pub struct Unfinished(Arc<Mutex<Option<PathBuf>>>);

impl Unfinished {
    /// Makes a file, which must not be there.
    pub fn create(&self, path: &Path) -> io::Result<File> {
        let noted = path.to_path_buf();
        let mut unfinished = self.lock();
        let file = File::create_new(path)?;
        *unfinished = Some(noted);
        Ok(file)
    }

    /// Puts the file in its place; if that fails, it is given up.
    pub fn place(&self, target: &Path) -> io::Result<()> {
        let mut unfinished = self.lock();
        let Some(path) = unfinished.take() else { return Err(io::ErrorKind::NotFound.into()) };
        let placed = fs::rename(&path, target);
        if placed.is_err() {
            // What cannot be removed is left.
            let _ = fs::remove_file(path);
        }
        placed
    }

    /// Removes the file.
    pub fn give_up(&self) {
        give_up(&mut self.lock());
    }

    /// Removes the file if there is one, on the way out of the process: nobody makes or places one after that.
    pub fn close(&self) {
        let mut unfinished = self.lock();
        give_up(&mut unfinished);
        mem::forget(unfinished);
    }

    fn lock(&self) -> MutexGuard<'_, Option<PathBuf>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn give_up(unfinished: &mut Option<PathBuf>) {
    if let Some(path) = unfinished.take() {
        // What cannot be removed is left.
        let _ = fs::remove_file(path);
    }
}
