//! Programs that were read before: their texts are taken from storage, in the order in which they were read.

use super::files::{Files, Source};
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::source::{Inclusion, KeptFile, Span};

impl Files<'_> {
    /// Continues with the stored text of an included file, unless it has been read.
    pub(super) fn included_again(&mut self, name: &str, span: Span) {
        let Some(inclusion) = self.kept.as_mut().and_then(|kept| kept.inclusions.pop()) else {
            return self.not_found(name, span);
        };
        self.sources.include(inclusion);
        match inclusion {
            Inclusion::Again | Inclusion::Data => {}
            Inclusion::First | Inclusion::Library => match self.next_kept() {
                Some(source) => self.begin(source),
                None => self.not_found(name, span),
            },
        }
    }

    /// Returns the next text of a program that was read before; none if there is none in a language that is known here.
    pub(super) fn next_kept(&mut self) -> Option<Source> {
        let KeptFile { name, language, text } = self.kept.as_mut()?.files.pop()?;
        let Some(language) = self.options.languages.named(&language) else {
            let message = format!("`{name}` is written in the language `{language}`, which is not known here");
            self.missing(Diagnostic::new(Kind::File, None, message));
            return None;
        };
        Some(Source { name, language, bytes: text.into_bytes(), origin: None, folder: None })
    }

    /// Returns the next stored text that defines data; none if another text follows.
    pub(super) fn next_kept_data(&mut self) -> Option<Source> {
        let kept = self.kept.as_mut()?;
        kept.inclusions.pop_if(|inclusion| *inclusion == Inclusion::Data)?;
        self.next_kept()
    }
}
