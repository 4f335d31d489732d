//! The texts of a program in their serialised form, as another process reads them: the one that compiles in the
//! background, or a program that was built.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use vlad_shared::core::source::{Inclusion, KeptFile, KeptSources};

/// A program's texts.
#[derive(Serialize, Deserialize)]
pub struct SerialisedSources<'text> {
    /// Name, language and text of each file.
    files: Vec<[Cow<'text, str>; 3]>,
    inclusions: Vec<Included>,
}

/// An [`Inclusion`] in its serialised form.
#[derive(Clone, Copy, Serialize, Deserialize)]
enum Included {
    First,
    Library,
    Again,
    Data,
}

impl<'text> From<&'text KeptSources> for SerialisedSources<'text> {
    fn from(sources: &'text KeptSources) -> SerialisedSources<'text> {
        let file = |KeptFile { name, language, text }: &'text KeptFile| {
            [name, language, text].map(|part| Cow::Borrowed(part.as_str()))
        };
        let included = |inclusion: &Inclusion| match inclusion {
            Inclusion::First => Included::First,
            Inclusion::Library => Included::Library,
            Inclusion::Again => Included::Again,
            Inclusion::Data => Included::Data,
        };
        SerialisedSources {
            files: sources.files.iter().map(file).collect(),
            inclusions: sources.inclusions.iter().map(included).collect(),
        }
    }
}

impl From<SerialisedSources<'_>> for KeptSources {
    fn from(written: SerialisedSources<'_>) -> KeptSources {
        let file = |[name, language, text]: [Cow<'_, str>; 3]| KeptFile {
            name: name.into_owned(),
            language: language.into_owned(),
            text: text.into_owned(),
        };
        let inclusion = |included: &Included| match included {
            Included::First => Inclusion::First,
            Included::Library => Inclusion::Library,
            Included::Again => Inclusion::Again,
            Included::Data => Inclusion::Data,
        };
        KeptSources {
            files: written.files.into_iter().map(file).collect(),
            inclusions: written.inclusions.iter().map(inclusion).collect(),
        }
    }
}
