//! Reading of files and the files that they include, each by its own language.
//!
//! Invariant: no file and no library is read twice, whatever names lead to it; the items of an included text take the
//! place of the first `include` of it. Texts that a language reads with another one, as its parts, are read wherever they are
//! named, each time as a text of its own.

mod parts;
mod search;
mod target;

use super::bytes::{canonical_folder, decode, too_long, unreadable};
use super::input::{Description, Input, Options};
use super::known::{KnownTexts, Origin};
use crate::vlad::Vlad;
use crate::vlad::appendix::{self, Appendix};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::vec::IntoIter;
use target::IncludeTarget;
use vlad_core::diagnostic::{Diagnostic, Kind, Report};
use vlad_core::source::{Inclusion, KeptSources, MOST_BYTES, SourceMap, Span};
use vlad_language::library::Library;
use vlad_language::named::{Named, NamedItem};
use vlad_language::names::{NameId, Names};
use vlad_language::{
    AppendedLanguage, AppendedText, Completeness, Encoding, Language, Parts, Piece, ReadingContext, Text,
};

/// The reader of texts into named core.
pub struct Files<'loading> {
    pub(super) options: &'loading Options,
    pub(super) sources: &'loading mut SourceMap,
    names: &'loading mut Names,
    named: &'loading mut Named,
    pub(super) report: &'loading mut Report,
    completeness: Completeness,
    /// The number of bytes that may still be read.
    allowed: u64,
    /// The texts that have been read or are being read.
    pub(super) known: KnownTexts,
    /// The files that are being read, the innermost last.
    open: Vec<OpenFile>,
    /// The remaining texts and inclusions of a program that was read before, both in reverse.
    pub(super) kept: Option<KeptSources>,
    /// The folder of the program's own file, canonical, if it has one.
    own_folder: Option<PathBuf>,
    /// The definitions of data that precede the program's own text.
    pub(super) data: Vec<Text>,
    /// The appended expressions that are in the language of the program.
    appended: Vec<AppendedText>,
}

/// A file that is being read.
struct OpenFile {
    /// Its name in diagnostics.
    name: String,
    /// Its origin, if it is known.
    origin: Option<Origin>,
    /// The folder that is searched first for files that it includes.
    folder: Option<PathBuf>,
    /// Its language.
    language: &'static dyn Language,
    /// Its remaining pieces.
    rest: IntoIter<Piece>,
}

/// A text before it is read, with its name, language, origin and folder.
pub(super) struct Source {
    pub(super) name: String,
    pub(super) language: &'static dyn Language,
    pub(super) bytes: Vec<u8>,
    pub(super) origin: Option<Origin>,
    pub(super) folder: Option<PathBuf>,
}

impl<'loading> Files<'loading> {
    /// A reader that has read nothing.
    pub fn new(
        options: &'loading Options,
        sources: &'loading mut SourceMap,
        names: &'loading mut Names,
        named: &'loading mut Named,
        report: &'loading mut Report,
    ) -> Files<'loading> {
        let completeness = Completeness::Whole;
        Files {
            options,
            sources,
            names,
            named,
            report,
            completeness,
            allowed: MOST_BYTES,
            known: KnownTexts::default(),
            open: vec![],
            kept: None,
            own_folder: None,
            data: vec![],
            appended: vec![],
        }
    }

    /// The same reader, of a program that has read some texts before: they are not read again.
    #[must_use]
    pub fn knowing(self, known: KnownTexts) -> Files<'loading> {
        Files { known, ..self }
    }

    /// Returns the texts that have been read.
    pub fn into_known(self) -> KnownTexts {
        self.known
    }

    /// Returns the completeness of the texts read so far.
    pub fn completeness(&self) -> Completeness {
        self.completeness
    }

    /// Returns what a language describes of one text, with expressions that are appended to it.
    pub fn describe<T: Default>(&mut self, input: Input, appendix: &Appendix, describe: Description<'_, T>) -> T {
        let Some(source) = self.input(input) else { return T::default() };
        let language = self.options.variant(source.language);
        self.append_own(language, appendix);
        let (text, preamble, parts) = self.open(source);
        let described = describe(language, text, &mut self.reading(preamble, &parts));
        self.open.pop();
        described
    }

    /// Returns the items of a program, with those of the files that it includes and of an appendix.
    pub fn read(&mut self, input: Input, appendix: &Appendix) -> Vec<NamedItem> {
        let mut items = vec![];
        if let Some(source) = self.input(input) {
            self.append_own(source.language, appendix);
            self.begin(source);
        }
        while let Some(open) = self.open.last_mut() {
            match open.rest.next() {
                Some(Piece::Item(item)) => items.push(item),
                Some(Piece::Include { name, span }) => self.included(&name, span),
                None => {
                    self.open.pop();
                }
            }
        }
        items.extend(self.append(appendix));
        items
    }

    /// Adds the texts of an appendix that are in the language of the program.
    fn append_own(&mut self, language: &'static dyn Language, appendix: &Appendix) {
        match language.appended() {
            AppendedLanguage::Vlad => {}
            AppendedLanguage::Own => {
                for given in &appendix.given {
                    let text = self.add(given.name.clone(), language, given.text.clone().into_bytes());
                    let name = self.names.hidden(&given.name);
                    self.appended.push(AppendedText { text, shown: given.name.clone(), name, usage: given.usage });
                }
            }
        }
    }

    /// Returns the items of a text that comes with vlad and includes nothing.
    pub fn own(&mut self, name: &str, text: &str) -> Vec<NamedItem> {
        let text = self.add(name.to_owned(), &Vlad, text.as_bytes().to_vec());
        let pieces = Vlad.read(text, &mut self.reading(None, &Parts::default())).into_iter();
        pieces.filter_map(|piece| if let Piece::Item(item) = piece { Some(item) } else { None }).collect()
    }

    /// Returns the items of an appendix that the language of the program has not returned.
    fn append(&mut self, appendix: &Appendix) -> Vec<NamedItem> {
        let own: Vec<(NameId, Span)> =
            self.appended.iter().map(|own| (own.name, own.text.whole(self.sources))).collect();
        let texts = appendix.texts();
        let behind = texts.len().saturating_sub(1).min(own.len());
        let texts = texts.into_iter().skip(behind);
        let texts: Vec<Text> = texts.map(|(name, text)| self.add(name, &Vlad, text.into_bytes())).collect();
        let shown = appendix.shown.clone();
        let shown = shown.map(|(name, text)| self.add(name, &Vlad, text.into_bytes()).whole(self.sources));
        appendix::read(appendix, &texts, own, shown, &mut self.reading(None, &Parts::default()))
    }

    /// Returns the library that a text in a language has without an `include`; it is added to the sources once, after the
    /// first text in the language.
    fn preamble(&mut self, language: &'static dyn Language) -> Option<Text> {
        let known = self.known.preambles.iter().find(|(name, _)| *name == language.name());
        if let Some((_, text)) = known {
            return Some(*text);
        }
        let library = language.preamble()?;
        self.sources.include(Inclusion::Library);
        let (name, bytes) = match &mut self.kept {
            Some(kept) => {
                kept.inclusions.pop();
                let source = self.next_kept()?;
                (source.name, source.bytes)
            }
            None => (library.shown_name(), library.text.as_bytes().to_vec()),
        };
        let text = self.add(name, language, bytes);
        self.known.preambles.push((language.name(), text));
        Some(text)
    }

    fn reading<'reading>(
        &'reading mut self,
        preamble: Option<Text>,
        parts: &'reading Parts,
    ) -> ReadingContext<'reading> {
        // Nothing else is open while the program's own text is read.
        let is_main = self.open.len() <= 1;
        ReadingContext {
            sources: self.sources,
            preamble,
            data: if is_main { &self.data } else { &[] },
            parts,
            appended: if is_main { &self.appended } else { &[] },
            earlier: if is_main { &self.known.earlier } else { &[] },
            names: self.names,
            named: self.named,
            report: self.report,
            completeness: &mut self.completeness,
        }
    }

    /// Begins to read an included file, unless it has been read.
    fn included(&mut self, name: &str, span: Span) {
        if self.kept.is_some() {
            return self.included_again(name, span);
        }
        let Some(found) = self.find(name) else { return self.not_found(name, span) };
        let origin = match &found {
            IncludeTarget::File(_, canonical) => Origin::File(canonical.clone()),
            IncludeTarget::Library(library) => Origin::Library(self.language().name(), library.name),
        };
        let is_new = self.known.insert(origin.clone());
        self.sources.include(match (&found, is_new) {
            (_, false) => Inclusion::Again,
            (IncludeTarget::File(..), true) => Inclusion::First,
            (IncludeTarget::Library(_), true) => Inclusion::Library,
        });
        if !is_new {
            if let Some(from) = self.open.iter().position(|open| open.origin.as_ref() == Some(&origin)) {
                self.cycle(from, name, span);
            }
            return;
        }
        match found {
            IncludeTarget::File(path, canonical) => self.begin_file(&path, &canonical, origin, span),
            IncludeTarget::Library(library) => self.begin_library(library, origin, span),
        }
    }

    fn begin_library(&mut self, library: &Library, origin: Origin, span: Span) {
        let (name, language) = (library.shown_name(), self.language());
        match self.allow(library.text.len() as u64) {
            Ok(()) => {
                let bytes = library.text.as_bytes().to_vec();
                self.begin(Source { name, language, bytes, origin: Some(origin), folder: None });
            }
            Err(error) => self.missing(Diagnostic::new(Kind::File, span, unreadable(&name, &error))),
        }
    }

    /// Returns the language of the text that is being read.
    fn language(&self) -> &'static dyn Language {
        self.open.last().map_or(self.options.languages.first(), |open| open.language)
    }

    /// Begins to read an included file by its canonical path, which has been checked to be within reach.
    fn begin_file(&mut self, path: &Path, canonical: &Path, origin: Origin, span: Span) {
        let name = path.display().to_string();
        if !canonical.is_file() {
            return self.no_file(&name, canonical, span);
        }
        match self.bytes_of(canonical) {
            Ok(bytes) => {
                let folder = path.parent().map(Path::to_path_buf);
                let language = self.options.languages.of_file(path).unwrap_or_else(|| self.language());
                self.begin(Source { name, language, bytes, origin: Some(origin), folder });
            }
            Err(error) => self.missing(Diagnostic::new(Kind::File, span, unreadable(&name, &error))),
        }
    }

    /// Reports that what a name led to is no ordinary file.
    fn no_file(&mut self, name: &str, canonical: &Path, span: Span) {
        let what = if canonical.is_dir() { "a folder" } else { "no ordinary file" };
        self.missing(Diagnostic::new(Kind::File, span, format!("`{name}` is {what}")));
    }

    /// Reports that a part of the program is missing.
    pub(super) fn missing(&mut self, diagnostic: Diagnostic) {
        self.completeness = Completeness::PartsMissing;
        self.report.push(diagnostic);
    }

    /// Reads the text of the whole input.
    fn input(&mut self, input: Input) -> Option<Source> {
        let Options { languages, language, .. } = *self.options;
        match input {
            Input::Text { name, bytes, folder } => {
                if let Err(error) = self.allow(bytes.len() as u64) {
                    self.missing(Diagnostic::new(Kind::File, None, unreadable(&name, &error)));
                    return None;
                }
                let language = language.unwrap_or(languages.first());
                Some(Source { name, language, bytes, origin: None, folder })
            }
            Input::Kept(mut kept) => {
                kept.files.reverse();
                kept.inclusions.reverse();
                self.kept = Some(kept);
                self.next_kept()
            }
            Input::Path(path) => self.file(&path, None),
            Input::Read { path, bytes } => self.file(&path, Some(bytes)),
        }
    }

    /// Reads the program's own file, unless its bytes have been read.
    fn file(&mut self, path: &Path, read: Option<Vec<u8>>) -> Option<Source> {
        let Options { languages, language, .. } = *self.options;
        let name = path.display().to_string();
        let folder = path.parent().map(Path::to_path_buf);
        self.own_folder = folder.as_deref().and_then(canonical_folder);
        let canonical = path.canonicalize().ok();
        if canonical.as_ref().is_some_and(|canonical| !self.is_within_reach(canonical)) {
            let message = format!("`{name}` leads out of its folder, and this is a sandbox");
            self.missing(Diagnostic::new(Kind::File, None, message));
            return None;
        }
        let bytes = match read {
            Some(bytes) => self.allow(bytes.len() as u64).map(|()| bytes),
            None => self.bytes_of(canonical.as_deref().unwrap_or(path)),
        };
        match bytes {
            Ok(bytes) => {
                let origin = canonical.map(Origin::File);
                if let Some(origin) = &origin {
                    self.known.insert(origin.clone());
                }
                let language = language.or_else(|| languages.of_file(path)).unwrap_or(languages.first());
                Some(Source { name, language, bytes, origin, folder })
            }
            Err(error) => {
                let message = match path.is_dir() {
                    true => format!("`{name}` is a folder"),
                    false => unreadable(&name, &error),
                };
                self.missing(Diagnostic::new(Kind::File, None, message));
                None
            }
        }
    }

    pub(super) fn bytes_of(&mut self, path: &Path) -> io::Result<Vec<u8>> {
        let mut bytes = vec![];
        File::open(path)?.take(self.allowed + 1).read_to_end(&mut bytes)?;
        self.allow(bytes.len() as u64)?;
        Ok(bytes)
    }

    /// Deducts so many bytes from those that may be read, or returns an error.
    pub(super) fn allow(&mut self, length: u64) -> io::Result<()> {
        self.allowed = self.allowed.checked_sub(length).ok_or_else(too_long)?;
        Ok(())
    }

    pub(super) fn begin(&mut self, source: Source) {
        let language = self.options.variant(source.language);
        let (text, preamble, parts) = self.open(Source { language, ..source });
        let pieces = language.read(text, &mut self.reading(preamble, &parts));
        if let Some(open) = self.open.last_mut() {
            open.rest = pieces.into_iter();
        }
    }

    /// Opens a text, of which no piece has been read yet; returns it with the library of its language and its parts.
    fn open(&mut self, source: Source) -> (Text, Option<Text>, Parts) {
        let language = source.language;
        let text = self.push(source);
        let preamble = self.preamble(language);
        if self.open.len() == 1 {
            self.add_data(language);
        }
        let parts = self.parts(text);
        (text, preamble, parts)
    }

    /// Adds a text to the source map, and makes it the innermost open file.
    fn push(&mut self, source: Source) -> Text {
        let Source { name, language, bytes, origin, folder } = source;
        let text = self.add(name.clone(), language, bytes);
        self.open.push(OpenFile { name, origin, folder, language, rest: vec![].into_iter() });
        text
    }

    /// Adds a text to the source map.
    pub(super) fn add(&mut self, name: String, language: &'static dyn Language, bytes: Vec<u8>) -> Text {
        let (text, damages) = decode(bytes);
        let encoding = if damages.is_empty() { Encoding::Sound } else { Encoding::Replaced };
        let file = self.sources.add(name, language.name(), text);
        for at in damages {
            let span = Span::new(file, at, at + char::REPLACEMENT_CHARACTER.len_utf8() as u32);
            self.report.push(Diagnostic::new(Kind::Read, span, "this is not text in UTF-8"));
        }
        Text { file, encoding }
    }
}
