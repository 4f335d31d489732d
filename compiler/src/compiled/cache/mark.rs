//! Markers: empty files in the folder, named by a hash of a program's source texts, which record that an object of the
//! program has been stored.
//!
//! The key of an object is a hash of its C text and of the compiler's identity, which takes milliseconds to compute. A
//! marker needs only the source texts. It decides the order of work and nothing else: the object that runs is found by
//! its key.

use super::key::{HashedParts, VERSION};
use crate::compiled::task::Task;
use crate::foreign::Counting;
use crate::specialised::Specialise;
use rustix::fs::OFlags;
use std::fs::{self, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use vlad_ad::traps::Traps;
use vlad_core::source::Inclusion;
use vlad_first_order::passes::Passes;

/// The suffix of the name of a marker, after its hash.
pub(super) const ENDING: &str = ".mark";

/// The marker of a program's source texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark(String);

impl Mark {
    /// Computes the marker of a program that counts its steps, has traps and is specialised in some way, by some passes.
    pub fn of(task: Task<'_>, specialise: Specialise, passes: Passes) -> Mark {
        let Task { program, counting, tagged_from, traps } = task;
        let mut hash = HashedParts::default();
        hash.part("version", VERSION.as_bytes());
        hash.part(
            "counting",
            match counting {
                Counting::Stoppable => b"stoppable",
                Counting::ByBlock => b"by block",
            },
        );
        hash.part(
            "traps",
            match traps {
                Traps::Off => b"off".as_slice(),
                Traps::NonFinite => b"nonfinite",
            },
        );
        hash.part(
            "specialise",
            match specialise {
                Specialise::Never => b"never",
                Specialise::Auto => b"auto",
                Specialise::Always => b"always",
            },
        );
        if let Some(item) = tagged_from {
            hash.part("tagged from", &item.to_le_bytes());
        }
        hash.part("passes", passes.to_string().as_bytes());
        // The files include the prelude, which is the same for each version.
        for file in program.sources.files() {
            hash.part("language", file.language.as_bytes());
            hash.part("text", file.text.as_bytes());
        }
        for inclusion in program.sources.inclusions() {
            hash.part(
                "inclusion",
                match inclusion {
                    Inclusion::First => b"first",
                    Inclusion::Library => b"library",
                    Inclusion::Again => b"again",
                    Inclusion::Data => b"data",
                },
            );
        }
        Mark(hash.hexadecimal())
    }

    fn path(&self, folder: &Path) -> PathBuf {
        folder.join(format!("{}{ENDING}", self.0))
    }

    /// Returns true if the marker is in a folder.
    pub(super) fn is_in(&self, folder: &Path) -> bool {
        fs::symlink_metadata(self.path(folder)).is_ok_and(|metadata| metadata.is_file())
    }

    /// Removes the marker from a folder. A marker that cannot be removed only costs time.
    pub(super) fn remove_from(&self, folder: &Path) {
        let _ = fs::remove_file(self.path(folder));
    }

    /// Creates the marker in a folder, or records the time of its use. Without a marker the object is found later.
    pub(super) fn leave_in(&self, folder: &Path) {
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
        let opened =
            OpenOptions::new().append(true).create(true).mode(0o600).custom_flags(flags).open(self.path(folder));
        // Eviction removes the least recently used files; if the time cannot be set the file is only evicted earlier.
        let _ = opened.and_then(|file| file.set_modified(SystemTime::now()));
    }
}
