//! Problems that keep the cache from working. They are notes, not errors: the run compiles.

use crate::toolchain::shown_path;
use std::fmt;
use std::path::PathBuf;

/// A problem that kept the cache from working; never an error of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CacheNote {
    /// No variable names a folder for the cache, for caches in general, or for the user's home.
    NoFolder,
    /// The folder cannot be created or read.
    Unusable {
        /// The folder.
        folder: PathBuf,
        /// The message of the system.
        reason: String,
    },
    /// Others could change the contents of the folder.
    Unsafe {
        /// The folder.
        folder: PathBuf,
        /// The owner or the permissions that allow it.
        reason: String,
    },
    /// The contents of an entry are not those that were stored; it was removed and is compiled again.
    Damaged {
        /// Its file.
        entry: PathBuf,
        /// The difference that was found.
        reason: String,
    },
    /// A compiled object could not be stored.
    NotStored {
        /// The folder.
        folder: PathBuf,
        /// The message of the system.
        reason: String,
    },
}

impl fmt::Display for CacheNote {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CacheNote::NoFolder => {
                write!(formatter, "no cache: none of VLAD_CACHE, XDG_CACHE_HOME and HOME names a folder")
            }
            CacheNote::Unusable { folder, reason } => {
                write!(formatter, "no cache: the folder {} cannot be used: {reason}", shown_path(folder))
            }
            CacheNote::Unsafe { folder, reason } => {
                write!(formatter, "no cache: the folder {} is not safe: {reason}", shown_path(folder))
            }
            CacheNote::Damaged { entry, reason } => {
                write!(formatter, "the cached object {} was removed: {reason}", shown_path(entry))
            }
            CacheNote::NotStored { folder, reason } => {
                write!(formatter, "the cache {} could not store an object: {reason}", shown_path(folder))
            }
        }
    }
}
