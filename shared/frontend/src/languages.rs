//! The list of the languages that a command reads.

use crate::language::Language;
use crate::vlad::Vlad;
use std::path::Path;

/// Languages; the first one is that of texts that name none.
#[derive(Clone, Copy, Debug)]
pub struct Languages {
    first: &'static dyn Language,
    others: &'static [&'static dyn Language],
}

impl Default for Languages {
    /// The languages that come with vlad.
    fn default() -> Languages {
        Languages { first: &Vlad, others: &[] }
    }
}

impl Languages {
    /// The languages that come with vlad, and others.
    pub fn and(others: &'static [&'static dyn Language]) -> Languages {
        Languages { others, ..Languages::default() }
    }

    /// All languages.
    pub fn all(self) -> impl Iterator<Item = &'static dyn Language> {
        std::iter::once(self.first).chain(self.others.iter().copied())
    }

    /// Returns the language of texts that name none.
    pub fn first(self) -> &'static dyn Language {
        self.first
    }

    /// Returns the language of that name.
    pub fn named(self, name: &str) -> Option<&'static dyn Language> {
        self.all().find(|language| language.name() == name)
    }

    /// Returns the language of a file by its extension.
    pub fn of_file(self, path: &Path) -> Option<&'static dyn Language> {
        let extension = path.extension()?.to_str()?;
        self.all().find(|language| language.extensions().contains(&extension))
    }
}
