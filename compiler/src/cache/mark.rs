//! Marks: empty files in the folder that say of a program's own texts that an object of them has been there.
//!
//! The key of an object is a hash of its C text and of what the compiler says of itself, which takes milliseconds to find out. A
//! mark is a hash of what was read. It decides what is worth doing first, and nothing else: what runs is found by its key.

use super::key::{Parts, VERSION};
use crate::foreign::Counting;
use rustix::fs::OFlags;
use std::fs::{self, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use vlad_shared::core::Program;
use vlad_shared::source::Inclusion;

/// The end of the name of a mark, behind its hash.
pub(super) const ENDING: &str = ".mark";

/// The mark of a program's texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark(String);

impl Mark {
    /// The mark of a program that counts its steps in some way.
    pub fn of(program: &Program, counting: Counting) -> Mark {
        let mut hash = Parts::default();
        hash.part("version", VERSION.as_bytes());
        hash.part(
            "counting",
            match counting {
                Counting::Stoppable => b"stoppable",
                Counting::ByBlock => b"by block",
            },
        );
        // The prelude is among them: it comes with the version.
        for file in program.sources.files() {
            hash.part("text", file.text.as_bytes());
        }
        for inclusion in program.sources.inclusions() {
            hash.part(
                "inclusion",
                match inclusion {
                    Inclusion::First => b"first",
                    Inclusion::Library => b"library",
                    Inclusion::Again => b"again",
                },
            );
        }
        Mark(hash.hexadecimal())
    }

    fn path(&self, folder: &Path) -> PathBuf {
        folder.join(format!("{}{ENDING}", self.0))
    }

    /// Tells whether the mark has been left in a folder.
    pub(super) fn is_in(&self, folder: &Path) -> bool {
        fs::symlink_metadata(self.path(folder)).is_ok_and(|metadata| metadata.is_file())
    }

    /// Removes the mark from a folder. One that cannot be removed costs time, as before.
    pub(super) fn remove_from(&self, folder: &Path) {
        let _ = fs::remove_file(self.path(folder));
    }

    /// Leaves the mark in a folder, or notes that it was used. Without a mark the object is only found later.
    pub(super) fn leave_in(&self, folder: &Path) {
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
        let opened =
            OpenOptions::new().append(true).create(true).mode(0o600).custom_flags(flags).open(self.path(folder));
        // The files that were not used for longest go first; one that keeps its old time is as good.
        let _ = opened.and_then(|file| file.set_modified(SystemTime::now()));
    }
}
