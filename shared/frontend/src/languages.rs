//! The languages that a command reads.

use crate::vlad::{Vlad, prelude};
use std::path::Path;
use vlad_core::Elementwise;
use vlad_farfel::Farfel;
use vlad_fsmooth::FSMOOTH;
use vlad_language::{Language, ReverseOperator, Rewriting};

/// The languages that come with vlad; the first one is that of texts that name none.
const OWN: [&dyn Language; 3] = [&Vlad, &FSMOOTH, &Farfel];

/// The languages that come with vlad, and those that a command adds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Languages {
    added: &'static [&'static dyn Language],
}

impl Languages {
    /// The languages that come with vlad, and others, whose names and extensions differ from theirs.
    pub fn and(added: &'static [&'static dyn Language]) -> Languages {
        Languages { added }
    }

    /// All languages.
    pub fn all(self) -> impl Iterator<Item = &'static dyn Language> {
        OWN.into_iter().chain(self.added.iter().copied())
    }

    /// Returns the language of texts that name none.
    pub fn first(self) -> &'static dyn Language {
        &Vlad
    }

    /// Returns the language of that name, perhaps one that rewrites or differentiates programs in its own way.
    pub fn named(self, name: &str) -> Option<&'static dyn Language> {
        let variants = |language: &'static dyn Language| {
            let rewriting = Rewriting::ALL.into_iter().map(|rewriting| language.rewriting(rewriting));
            rewriting.chain(ReverseOperator::ALL.into_iter().map(|operator| language.reverse_by(operator)))
        };
        let all = self.all().chain(self.all().flat_map(variants).flatten());
        all.into_iter().find(|language| language.name() == name)
    }

    /// Returns the language of a file by its extension, in which upper and lower case are the same.
    pub fn of_file(self, path: &Path) -> Option<&'static dyn Language> {
        let extension = path.extension()?.to_str()?;
        self.all().find(|language| language.extensions().iter().any(|known| known.eq_ignore_ascii_case(extension)))
    }

    /// The procedures of the prelude and of the libraries that go through elements.
    pub fn elementwise(self) -> Elementwise {
        let libraries = self.all().flat_map(|language| language.libraries().iter().chain(language.preamble()));
        Elementwise {
            loops: &prelude::LOOP_PROCEDURES,
            recursive: &prelude::RECURSIVE,
            others: libraries.flat_map(|library| library.elementwise).copied().collect(),
        }
    }
}
