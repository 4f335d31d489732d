//! The parts of texts: other texts that a language reads in place of lines of a text, as `INCLUDE` has it in Fortran.
//!
//! A part is a text of its own in the source map wherever it is named, so that a place tells by which line it was
//! included. A text in another language is no part: its items are included.

use super::super::bytes::unreadable;
use super::target::IncludeTarget;
use super::{Files, Origin, Source};
use std::path::Path;
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::source::{Inclusion, Span};
use vlad_language::{Language, Part, PartName, Parts, Text};

/// The most parts of one text, those of its parts included.
const MOST_PARTS: usize = 10_000;

impl Files<'_> {
    /// Reads the parts of the innermost open file, and their parts.
    pub(super) fn parts(&mut self, text: Text) -> Parts {
        let mut parts = Parts::default();
        // The names of the parts that remain, for each open text.
        let mut remaining = vec![self.names_of_parts(text)];
        while let Some(names) = remaining.last_mut() {
            let Some(PartName { name, span }) = names.next() else {
                remaining.pop();
                if !remaining.is_empty() {
                    self.open.pop();
                }
                continue;
            };
            if self.is_in_another_language(&name) {
                parts.insert(span, Part::Other);
            } else if parts.len() >= MOST_PARTS {
                let message = format!("a text includes more than {MOST_PARTS} others");
                self.missing(Diagnostic::new(Kind::Limit, span, message));
                parts.insert(span, Part::Missing);
                // One message is enough: nothing more is read.
                while remaining.len() > 1 {
                    remaining.pop();
                    self.open.pop();
                }
                break;
            } else {
                match self.part(&name, span) {
                    Some(text) => {
                        parts.insert(span, Part::Text(text));
                        remaining.push(self.names_of_parts(text));
                    }
                    None => {
                        parts.insert(span, Part::Missing);
                    }
                }
            }
        }
        parts
    }

    fn names_of_parts(&self, text: Text) -> std::vec::IntoIter<PartName> {
        self.language().parts(text, self.sources).into_iter()
    }

    /// Returns true if the extension of a name is that of another language than the innermost open file has.
    fn is_in_another_language(&self, name: &str) -> bool {
        let named = self.options.languages.of_file(Path::new(name));
        named.is_some_and(|named| named.extensions() != self.language().extensions())
    }

    /// Reads a part of the innermost open file, and opens it; none if that is not possible, which is reported.
    fn part(&mut self, name: &str, span: Span) -> Option<Text> {
        let language = self.language();
        let source = if self.kept.is_some() {
            self.kept_part(language, name, span)
        } else {
            self.found_part(language, name, span)
        };
        source.map(|source| self.push(source))
    }

    fn kept_part(&mut self, language: &'static dyn Language, name: &str, span: Span) -> Option<Source> {
        match self.kept.as_mut().and_then(|kept| kept.inclusions.pop()) {
            Some(inclusion @ Inclusion::First) => {
                self.sources.include(inclusion);
                self.next_kept().map(|source| Source { language, ..source })
            }
            Some(Inclusion::Library | Inclusion::Again | Inclusion::Data) | None => {
                self.not_found(name, span);
                None
            }
        }
    }

    fn found_part(&mut self, language: &'static dyn Language, name: &str, span: Span) -> Option<Source> {
        let (path, canonical) = match self.find(name) {
            Some(IncludeTarget::File(path, canonical)) => (path, canonical),
            Some(IncludeTarget::Library(_)) | None => {
                self.not_found(name, span);
                return None;
            }
        };
        let origin = Origin::File(canonical.clone());
        if let Some(from) = self.open.iter().position(|open| open.origin.as_ref() == Some(&origin)) {
            self.cycle(from, name, span);
            return None;
        }
        let name = path.display().to_string();
        if !canonical.is_file() {
            self.no_file(&name, &canonical, span);
            return None;
        }
        match self.bytes_of(&canonical) {
            Ok(bytes) => {
                self.sources.include(Inclusion::First);
                let folder = path.parent().map(Path::to_path_buf);
                Some(Source { name, language, bytes, origin: Some(origin), folder })
            }
            Err(error) => {
                self.missing(Diagnostic::new(Kind::File, span, unreadable(&name, &error)));
                None
            }
        }
    }
}
