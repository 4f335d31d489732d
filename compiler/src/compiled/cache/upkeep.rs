//! Maintenance of the cache: counting, clearing and eviction.
//!
//! Invariant: only files with names of the form that the cache gives are removed, and no link is followed; all other
//! files in the folder are kept.

use super::entry::{self, CacheFile, FileKind};
use std::path::Path;
use std::time::{Duration, SystemTime};
use std::{fs, io};

/// The maximal size of the user's cache, in bytes.
pub const MOST_BYTES: u64 = 512 << 20;

/// The age from which on a partial file is known to have lost its writer.
const ABANDONED: Duration = Duration::from_secs(3600);

/// The least number of bytes that a file takes, even an empty one.
const LEAST_BYTES: u64 = 4096;

/// The number and size of the files that are, or were, in a cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// The number of entries.
    pub entries: u64,
    /// The total size in bytes, partial files included, markers not.
    pub bytes: u64,
}

impl Usage {
    fn add(&mut self, listed: &CacheFile) {
        match listed.kind {
            FileKind::Entry => self.entries += 1,
            FileKind::Partial => {}
            FileKind::Mark => return,
        }
        self.bytes += listed.bytes;
    }
}

/// Lists a folder; a missing one is empty.
fn list(folder: &Path) -> io::Result<Vec<CacheFile>> {
    match entry::list(folder) {
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        listed => listed,
    }
}

/// Counts the files in a cache folder. A missing folder is empty.
///
/// # Errors
/// The folder cannot be read.
pub fn usage(folder: &Path) -> io::Result<Usage> {
    let mut usage = Usage::default();
    list(folder)?.iter().for_each(|listed| usage.add(listed));
    Ok(usage)
}

/// Removes all entries, markers and partial files of a cache folder, and returns their number and size.
///
/// # Errors
/// The folder cannot be read, or a file cannot be removed; the other files are removed all the same.
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

/// Evicts the least recently used entries and markers until a quarter of the bound is free, if the bound is exceeded;
/// and removes abandoned partial files.
pub(super) fn trim(folder: &Path, most_bytes: u64) -> io::Result<()> {
    let mut listed = entry::list(folder)?;
    let now = SystemTime::now();
    listed.retain(|file| match file.kind {
        FileKind::Entry | FileKind::Mark => true,
        FileKind::Partial => {
            if now.duration_since(file.modified).is_ok_and(|age| age > ABANDONED) {
                // Another process may have removed it already.
                let _ = fs::remove_file(&file.path);
            }
            false
        }
    });
    let taken = |file: &CacheFile| file.bytes.max(LEAST_BYTES);
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
