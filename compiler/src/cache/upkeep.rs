//! Counting, clearing and bounding the cache.
//!
//! Invariant: only files with the names that the cache gives are ever removed, and no link is followed, so that a folder
//! which holds other things keeps them.

use super::entry::{self, Kind, Listed};
use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// The bytes that the user's cache holds at most.
pub const MOST_BYTES: u64 = 512 << 20;

/// The age from which on a file that never became an entry is known to have lost its writer.
const ABANDONED: Duration = Duration::from_secs(3600);

/// The bytes that a file takes at least, and an empty one.
const LEAST_BYTES: u64 = 4096;

/// What is in a cache, or was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// How many entries.
    pub entries: u64,
    /// How many bytes, those of unfinished files included.
    pub bytes: u64,
}

impl Usage {
    fn add(&mut self, listed: &Listed) {
        self.bytes += listed.bytes;
        match listed.kind {
            Kind::Entry => self.entries += 1,
            Kind::Mark | Kind::Unfinished => {}
        }
    }
}

/// Lists a folder; one that is missing is empty.
fn list(folder: &Path) -> io::Result<Vec<Listed>> {
    match entry::list(folder) {
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        listed => listed,
    }
}

/// Counts what is in a cache folder.
///
/// # Errors
/// The folder cannot be read; a missing one is empty.
pub fn usage(folder: &Path) -> io::Result<Usage> {
    let mut usage = Usage::default();
    list(folder)?.iter().for_each(|listed| usage.add(listed));
    Ok(usage)
}

/// Removes all entries of a cache folder, and what was to become one, and tells what was removed.
///
/// # Errors
/// The folder cannot be read, or a file cannot be removed; the others are.
pub fn clear(folder: &Path) -> io::Result<Usage> {
    let mut removed = Usage::default();
    let mut failed = None;
    for listed in list(folder)? {
        match fs::remove_file(&listed.path) {
            Ok(()) => removed.add(&listed),
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => {}
            Err(fault) => failed = Some(fault),
        }
    }
    failed.map_or(Ok(removed), Err)
}

/// Removes the entries and marks that were not used for longest until a quarter of the bound is free, if it is passed; and files
/// that were never finished.
pub(super) fn trim(folder: &Path, most_bytes: u64) -> io::Result<()> {
    let mut listed = entry::list(folder)?;
    let now = SystemTime::now();
    listed.retain(|file| match file.kind {
        Kind::Entry | Kind::Mark => true,
        Kind::Unfinished => {
            if now.duration_since(file.modified).is_ok_and(|age| age > ABANDONED) {
                // Another process may have removed it already.
                let _ = fs::remove_file(&file.path);
            }
            false
        }
    });
    let taken = |file: &Listed| file.bytes.max(LEAST_BYTES);
    let mut total: u64 = listed.iter().map(taken).sum();
    if total <= most_bytes {
        return Ok(());
    }
    listed.sort_by(|one, other| (one.modified, &one.path).cmp(&(other.modified, &other.path)));
    for file in listed {
        if total <= most_bytes - most_bytes / 4 {
            break;
        }
        let _ = fs::remove_file(&file.path);
        total -= taken(&file);
    }
    Ok(())
}
