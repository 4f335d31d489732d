//! The texts that a program has read, by their origins.

use std::collections::HashSet;
use std::path::PathBuf;
use vlad_language::Text;

/// The texts that a program has read, or is reading.
#[derive(Clone, Debug, Default)]
pub struct KnownTexts {
    origins: HashSet<Origin>,
    /// The libraries that texts have without an `include`, by the names of their languages.
    pub(super) preambles: Vec<(&'static str, Text)>,
    /// The texts that define data, once they have been read.
    pub(super) data: Option<Vec<Text>>,
    /// The earlier texts of a session in a language that reads all of them together.
    pub(super) earlier: Vec<Text>,
}

/// The origin of a text, which identifies texts that must not be read twice.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Origin {
    /// A file, by its canonical path.
    File(PathBuf),
    /// A library, by the names of its language and its own.
    Library(&'static str, &'static str),
}

impl KnownTexts {
    /// Adds a text; returns false if it was there.
    pub(super) fn insert(&mut self, origin: Origin) -> bool {
        self.origins.insert(origin)
    }

    /// Forgets all files, which are read anew when they are included the next time. Libraries do not change.
    pub fn forget_files(&mut self) {
        self.origins.retain(|origin| match origin {
            Origin::File(_) => false,
            Origin::Library(..) => true,
        });
    }
}
