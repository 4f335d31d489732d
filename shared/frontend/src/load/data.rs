//! Data files: each becomes a text that defines a name, in the language of the program, which reads it before the program's
//! own text. So capsules, executables and the cache keep the data as texts of the program, and know no files of data.

use super::bytes::unreadable;
use super::files::{Files, Source};
use std::io;
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::source::{Inclusion, Span};
use vlad_data::{DataError, DataRequest};
use vlad_language::{DataDefinition, Language, SessionReading};

/// The language of the texts of data files, which are read for errors in them alone.
const DATA: &str = "data";

impl Files<'_> {
    /// Adds the texts that define data; those of a program that was read before are among its stored texts. A session adds them
    /// once, and reads them again with each input only in a language that reads all texts together.
    pub(super) fn add_data(&mut self, language: &'static dyn Language) {
        match self.known.data.clone() {
            None => {
                self.read_data(language);
                self.known.data = Some(self.data.clone());
            }
            Some(known) if language.session() == Some(SessionReading::Together) => self.data = known,
            Some(_) => {}
        }
    }

    fn read_data(&mut self, language: &'static dyn Language) {
        if self.kept.is_some() {
            while let Some(Source { name, language, bytes, .. }) = self.next_kept_data() {
                self.add_definition(name, language, bytes);
            }
            return;
        }
        let options = self.options;
        for request in &options.data {
            if let Some(definition) = self.definition(language, request) {
                self.add_definition(format!("<data {}>", request.name), language, definition.into_bytes());
            }
        }
    }

    fn add_definition(&mut self, name: String, language: &'static dyn Language, bytes: Vec<u8>) {
        self.sources.include(Inclusion::Data);
        let text = self.add(name, language, bytes);
        self.data.push(text);
    }

    /// Reads a data file and returns its definition; reports the error if there is one.
    fn definition(&mut self, language: &'static dyn Language, request: &DataRequest) -> Option<String> {
        let shown = request.path.display().to_string();
        let bytes = match self.data_bytes(request) {
            Ok(bytes) => bytes,
            Err(error) => {
                self.missing(Diagnostic::new(Kind::File, None, unreadable(&shown, &error)));
                return None;
            }
        };
        let datum = match request.read(&bytes) {
            Ok(datum) => datum,
            Err(error) => {
                self.refuse_data(shown, bytes, error);
                return None;
            }
        };
        let refusal = match language.definition_of_data(&request.name, &datum) {
            Some(DataDefinition::Text(text)) => match self.allow(text.len() as u64) {
                Ok(()) => return Some(text),
                Err(error) => unreadable(&shown, &error),
            },
            Some(DataDefinition::NoName) => format!("`{}` is no name in the language of the program", request.name),
            Some(DataDefinition::NoDatum(reason)) => format!("`{shown}` is no datum of the language: {reason}"),
            None => format!("a program in `{}` takes no data by `--data`: it reads its numbers", language.name()),
        };
        self.missing(Diagnostic::new(Kind::File, None, refusal));
        None
    }

    fn data_bytes(&mut self, request: &DataRequest) -> io::Result<Vec<u8>> {
        let canonical = request.path.canonicalize()?;
        if !self.is_within_reach(&canonical) {
            return Err(io::Error::other(
                "in a sandbox data files are below the folder of the program or below folders given by -I",
            ));
        }
        if !canonical.is_file() {
            return Err(io::Error::other("it is no ordinary file"));
        }
        self.bytes_of(&canonical)
    }

    /// Reports an error in a data file, at its place in the text of the file.
    fn refuse_data(&mut self, shown: String, bytes: Vec<u8>, error: DataError) {
        let DataError { message, place, hint } = error;
        let diagnostic = match place {
            None => Diagnostic::new(Kind::File, None, format!("`{shown}`: {message}")),
            Some((begin, length)) => {
                let end = begin.saturating_add(length).min(bytes.len());
                // Replaced bytes take more place, so the offsets are those in the text.
                let offset = |bytes: &[u8]| String::from_utf8_lossy(bytes).len() as u32;
                let (begin, end) = (offset(bytes.get(..begin).unwrap_or(&[])), offset(bytes.get(..end).unwrap_or(&[])));
                let file = self.sources.add(shown, DATA, String::from_utf8_lossy(&bytes));
                Diagnostic::new(Kind::File, Span::new(file, begin, end), message)
            }
        };
        self.missing(match hint {
            Some(hint) => diagnostic.with_hint(hint),
            None => diagnostic,
        });
    }
}
