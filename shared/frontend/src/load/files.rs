//! Reading of files and the files that they include.
//!
//! Invariant: no file and no library is read twice, whatever names lead to it; the data of an included text take the place
//! of the first `include` of it.

pub mod appendix;

use super::input::{Input, Options, Reach};
use crate::library::{LIBRARIES, Library};
use crate::resolve::scope::Completeness;
use crate::syntax::balance::{self, Balance};
use crate::syntax::lexer::{self, Encoding, Extent, Token};
use crate::syntax::names::{Keyword, Names};
use crate::syntax::reader;
use crate::syntax::tree::{Datum, DatumId, Tree};
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read};
use std::iter;
use std::path::{Path, PathBuf};
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::report::Report;
use vlad_core::source::{FileId, Inclusion, KeptSources, MOST_BYTES, SourceMap, Span};

/// The reader of texts into a tree.
pub struct Files<'loading> {
    options: &'loading Options,
    sources: &'loading mut SourceMap,
    names: &'loading mut Names,
    tree: &'loading mut Tree,
    report: &'loading mut Report,
    completeness: Completeness,
    /// The number of bytes that may still be read.
    allowed: u64,
    /// The texts that have been read or are being read.
    known: HashSet<Origin>,
    /// The files that are being read, the innermost last.
    open: Vec<Open>,
    /// The remaining texts and inclusions of a program that was read before, both in reverse.
    kept: Option<KeptSources>,
    /// The folder of the program's own file, canonical, if it has one.
    own_folder: Option<PathBuf>,
}

/// The origin of a text, which identifies texts that must not be read twice.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Origin {
    /// A file, by its canonical path.
    File(PathBuf),
    /// A library, by its name.
    Library(&'static str),
}

/// A file that is being read.
struct Open {
    /// Its name in diagnostics.
    name: String,
    /// Its origin, if it is known.
    origin: Option<Origin>,
    /// The folder that is searched first for files that it includes.
    folder: Option<PathBuf>,
    /// Its remaining data, in reverse.
    rest: Vec<DatumId>,
}

/// A text with its name, origin and folder.
struct Text {
    name: String,
    bytes: Vec<u8>,
    origin: Option<Origin>,
    folder: Option<PathBuf>,
}

/// The referent of the name in an `include`.
enum Found {
    /// A file: the path by which it was found, which diagnostics show, and its canonical path.
    File(PathBuf, PathBuf),
    /// A library.
    Library(&'static Library),
}

impl<'loading> Files<'loading> {
    /// A reader that has read nothing.
    pub fn new(
        options: &'loading Options,
        sources: &'loading mut SourceMap,
        names: &'loading mut Names,
        tree: &'loading mut Tree,
        report: &'loading mut Report,
    ) -> Files<'loading> {
        let completeness = Completeness::Whole;
        Files {
            options,
            sources,
            names,
            tree,
            report,
            completeness,
            allowed: MOST_BYTES,
            known: HashSet::new(),
            open: vec![],
            kept: None,
            own_folder: None,
        }
    }

    /// Returns the completeness of the texts read so far.
    pub fn completeness(&self) -> Completeness {
        self.completeness
    }

    /// Returns the tokens of one text.
    pub fn tokens(&mut self, input: Input) -> Option<(FileId, Vec<Token>)> {
        let text = self.input(input)?;
        let (file, lexed) = self.lex(text.name, text.bytes);
        Some((file, lexed.tokens))
    }

    /// Returns the data of one text; `include` forms are left as they are.
    pub fn data(&mut self, input: Input) -> Vec<DatumId> {
        match self.input(input) {
            Some(text) => self.parse(text.name, text.bytes),
            None => vec![],
        }
    }

    /// Returns the data of a program, with those of the files that it includes.
    pub fn read(&mut self, input: Input) -> Vec<DatumId> {
        let mut data = vec![];
        if let Some(text) = self.input(input) {
            self.begin(text);
        }
        while let Some(open) = self.open.last_mut() {
            let Some(datum) = open.rest.pop() else {
                self.open.pop();
                continue;
            };
            match self.include(datum) {
                None => data.push(datum),
                Some(Some((name, span))) => self.included(&name, span),
                Some(None) => {
                    self.completeness = Completeness::PartsMissing;
                    let message = "expected (include \"file\")";
                    self.report.push(Diagnostic::new(Kind::Syntax, self.tree.span(datum), message));
                }
            }
        }
        data
    }

    /// Recognises an `include`: none if a datum is no `include`; else the name of the file with its span, if the form is
    /// well-formed.
    fn include(&self, datum: DatumId) -> Option<Option<(String, Span)>> {
        let Datum::List(parts) = self.tree.datum(datum) else { return None };
        let [first, operands @ ..] = self.tree.parts(parts) else { return None };
        let Datum::Name(name) = self.tree.datum(*first) else { return None };
        if Keyword::of(name) != Some(Keyword::Include) {
            return None;
        }
        let [operand] = operands else { return Some(None) };
        match self.tree.datum(*operand) {
            Datum::Text(text) => Some(Some((self.names.text(text).to_string(), self.tree.span(*operand)))),
            Datum::Real(_)
            | Datum::Boolean(_)
            | Datum::Name(_)
            | Datum::List(_)
            | Datum::Dotted(_)
            | Datum::Vector(_)
            | Datum::Quote(_)
            | Datum::Invalid => Some(None),
        }
    }

    /// Begins to read an included file, unless it has been read.
    fn included(&mut self, name: &str, span: Span) {
        if self.kept.is_some() {
            return self.included_again(name, span);
        }
        let Some(found) = self.find(name) else { return self.not_found(name, span) };
        let origin = match &found {
            Found::File(_, canonical) => Origin::File(canonical.clone()),
            Found::Library(library) => Origin::Library(library.name),
        };
        let is_new = self.known.insert(origin.clone());
        self.sources.include(match (&found, is_new) {
            (_, false) => Inclusion::Again,
            (Found::File(..), true) => Inclusion::First,
            (Found::Library(_), true) => Inclusion::Library,
        });
        if !is_new {
            if let Some(from) = self.open.iter().position(|open| open.origin.as_ref() == Some(&origin)) {
                self.cycle(from, span);
            }
            return;
        }
        match found {
            Found::File(path, canonical) => self.begin_file(&path, &canonical, origin, span),
            Found::Library(library) => self.begin_library(library, origin, span),
        }
    }

    /// Continues with the stored text of an included file, unless it has been read.
    fn included_again(&mut self, name: &str, span: Span) {
        let Some(inclusion) = self.kept.as_mut().and_then(|kept| kept.inclusions.pop()) else {
            return self.not_found(name, span);
        };
        self.sources.include(inclusion);
        match inclusion {
            Inclusion::Again => {}
            Inclusion::First | Inclusion::Library => match self.next_kept() {
                Some(text) => self.begin(text),
                None => self.not_found(name, span),
            },
        }
    }

    /// Returns the next text of a program that was read before.
    fn next_kept(&mut self) -> Option<Text> {
        let (name, text) = self.kept.as_mut()?.files.pop()?;
        Some(Text { name, bytes: text.into_bytes(), origin: None, folder: None })
    }

    fn begin_library(&mut self, library: &Library, origin: Origin, span: Span) {
        let name = library.shown_name();
        match self.allow(library.text.len() as u64) {
            Ok(()) => {
                let bytes = library.text.as_bytes().to_vec();
                self.begin(Text { name, bytes, origin: Some(origin), folder: None });
            }
            Err(error) => self.missing(Diagnostic::new(Kind::File, span, unreadable(&name, &error))),
        }
    }

    /// Begins to read an included file by its canonical path, which has been checked to be within reach.
    fn begin_file(&mut self, path: &Path, canonical: &Path, origin: Origin, span: Span) {
        let name = path.display().to_string();
        if !canonical.is_file() {
            let what = if canonical.is_dir() { "a folder" } else { "no ordinary file" };
            return self.missing(Diagnostic::new(Kind::File, span, format!("`{name}` is {what}")));
        }
        match self.bytes_of(canonical) {
            Ok(bytes) => {
                let folder = path.parent().map(Path::to_path_buf);
                self.begin(Text { name, bytes, origin: Some(origin), folder });
            }
            Err(error) => self.missing(Diagnostic::new(Kind::File, span, unreadable(&name, &error))),
        }
    }

    /// Reports that a part of the program is missing.
    fn missing(&mut self, diagnostic: Diagnostic) {
        self.completeness = Completeness::PartsMissing;
        self.report.push(diagnostic);
    }

    /// Reports that an open file is included again. Each file is shown under the name by which it was first included.
    fn cycle(&mut self, from: usize, span: Span) {
        let mut chain: Vec<&str> = self.open.iter().skip(from).map(|open| open.name.as_str()).collect();
        let first = chain.first().copied().unwrap_or_default();
        chain.push(first);
        let message = format!("`{first}` includes itself: {}", chain.join(" -> "));
        self.missing(Diagnostic::new(Kind::File, span, message));
    }

    /// Returns the folders that are searched for included files, in order. A library includes libraries only.
    fn folders(&self) -> impl Iterator<Item = &PathBuf> {
        let open = self.open.last();
        let is_library = open.is_some_and(|open| matches!(open.origin, Some(Origin::Library(_))));
        let given = if is_library { &[][..] } else { &self.options.include_folders };
        open.and_then(|open| open.folder.as_ref()).into_iter().chain(given)
    }

    /// Returns true if a file may be read. A file that may not be read is treated as missing, without a message of its own.
    fn is_within_reach(&self, canonical: &Path) -> bool {
        match self.options.reach {
            Reach::Anywhere => true,
            Reach::Beneath => {
                let given = self.options.include_folders.iter().filter_map(|folder| canonical_folder(folder));
                given.chain(self.own_folder.clone()).any(|folder| canonical.starts_with(folder))
            }
        }
    }

    /// Finds the file of a name, or else a library. A folder of that name hides neither; a folder, or anything else that is
    /// no ordinary file, is found only if there is nothing else.
    fn find(&self, name: &str) -> Option<Found> {
        let with_extension = with_extension(name);
        let names = || iter::once(name).chain(with_extension.as_deref());
        let paths = self.folders().flat_map(|folder| names().map(|name| folder.join(name)));
        let mut other = None;
        for path in paths {
            let Ok(canonical) = path.canonicalize() else { continue };
            if !self.is_within_reach(&canonical) {
                continue;
            }
            if canonical.is_file() {
                return Some(Found::File(path, canonical));
            }
            other.get_or_insert(Found::File(path, canonical));
        }
        Library::named(name).map(Found::Library).or(other)
    }

    fn not_found(&mut self, name: &str, span: Span) {
        let searched: Vec<String> = self.folders().map(|folder| format!("`{}`", show_folder(folder))).collect();
        let searched = searched.join(", ");
        let hint = match with_extension(name) {
            _ if searched.is_empty() => {
                "a text that is no file has no folder: name one to search for included files".to_string()
            }
            Some(longer) => format!("it was looked for in {searched}, and so was `{longer}`"),
            None => format!("it was looked for in {searched}"),
        };
        let hint = match self.options.reach {
            Reach::Anywhere => hint,
            Reach::Beneath => {
                format!(
                    "{hint}; in a sandbox only files below the program's own folder and those given can be included"
                )
            }
        };
        let libraries: Vec<String> = LIBRARIES.iter().map(|library| format!("`{}`", library.name)).collect();
        let hint = format!("{hint}; the libraries that come with vlad are {}", libraries.join(", "));
        self.missing(Diagnostic::new(Kind::File, span, format!("there is no file `{name}`")).with_hint(hint));
    }

    /// Reads the text of the whole input.
    fn input(&mut self, input: Input) -> Option<Text> {
        match input {
            Input::Text { name, bytes, folder } => {
                if let Err(error) = self.allow(bytes.len() as u64) {
                    self.missing(Diagnostic::new(Kind::File, None, unreadable(&name, &error)));
                    return None;
                }
                Some(Text { name, bytes, origin: None, folder })
            }
            Input::Kept(mut kept) => {
                kept.files.reverse();
                kept.inclusions.reverse();
                self.kept = Some(kept);
                self.next_kept()
            }
            Input::Path(path) => {
                let name = path.display().to_string();
                let folder = path.parent().map(Path::to_path_buf);
                self.own_folder = folder.as_deref().and_then(canonical_folder);
                let canonical = path.canonicalize().ok();
                if canonical.as_ref().is_some_and(|canonical| !self.is_within_reach(canonical)) {
                    let message = format!("`{name}` leads out of its folder, and this is a sandbox");
                    self.missing(Diagnostic::new(Kind::File, None, message));
                    return None;
                }
                match self.bytes_of(canonical.as_ref().unwrap_or(&path)) {
                    Ok(bytes) => {
                        let origin = canonical.map(Origin::File);
                        self.known.extend(origin.clone());
                        Some(Text { name, bytes, origin, folder })
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
        }
    }

    fn bytes_of(&mut self, path: &Path) -> io::Result<Vec<u8>> {
        let mut bytes = vec![];
        File::open(path)?.take(self.allowed + 1).read_to_end(&mut bytes)?;
        self.allow(bytes.len() as u64)?;
        Ok(bytes)
    }

    /// Deducts so many bytes from those that may be read, or returns an error.
    fn allow(&mut self, length: u64) -> io::Result<()> {
        self.allowed = self.allowed.checked_sub(length).ok_or_else(too_long)?;
        Ok(())
    }

    fn begin(&mut self, text: Text) {
        let Text { name, bytes, origin, folder } = text;
        let mut rest = self.parse(name.clone(), bytes);
        rest.reverse();
        self.open.push(Open { name, origin, folder, rest });
    }

    /// Returns the data of a text; none if parentheses do not pair up, since then the nesting is unknown.
    fn parse(&mut self, name: String, bytes: Vec<u8>) -> Vec<DatumId> {
        let (file, lexed) = self.lex(name, bytes);
        let balance = match lexed.extent {
            Extent::Whole => balance::check(file, &lexed.tokens, self.report),
            Extent::Hidden => Balance::Uneven,
        };
        let (data, extent) = match balance {
            Balance::Even => reader::read(file, &lexed.tokens, self.tree, self.report),
            Balance::Uneven => (vec![], Extent::Hidden),
        };
        match extent {
            Extent::Whole => {}
            Extent::Hidden => self.completeness = Completeness::PartsMissing,
        }
        data
    }

    fn lex(&mut self, name: String, bytes: Vec<u8>) -> (FileId, lexer::Lexed) {
        let (text, damages) = decode(bytes);
        let encoding = if damages.is_empty() { Encoding::Sound } else { Encoding::Replaced };
        let file = self.sources.add(name, text);
        for at in damages {
            let span = Span::new(file, at, at + char::REPLACEMENT_CHARACTER.len_utf8() as u32);
            self.report.push(Diagnostic::new(Kind::Read, span, "this is not text in UTF-8"));
        }
        let text = self.sources.get(file).map_or("", |file| file.text.as_str());
        (file, lexer::lex(file, text, encoding, self.names, self.report))
    }
}

/// Decodes bytes as text; returns also the offsets in it of the characters that replace invalid UTF-8.
fn decode(bytes: Vec<u8>) -> (String, Vec<u32>) {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return (text, vec![]),
        Err(error) => error.into_bytes(),
    };
    let mut text = String::with_capacity(bytes.len());
    let mut damages = vec![];
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            damages.push(text.len() as u32);
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    (text, damages)
}

/// The extension that the name of an included file can leave out.
const EXTENSION: &str = ".vlad";

/// Returns a name with the extension, if it is the name of a file and has none.
fn with_extension(name: &str) -> Option<String> {
    match name.rsplit('/').next() {
        None | Some("" | "." | "..") => None,
        Some(last) if last.ends_with(EXTENSION) => None,
        Some(_) => Some(format!("{name}{EXTENSION}")),
    }
}

fn too_long() -> io::Error {
    io::Error::other("a program may not have more than 64 MB of text")
}

fn unreadable(name: &str, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => format!("there is no file `{name}`"),
        io::ErrorKind::Other => format!("`{name}` cannot be read: {error}"),
        kind => format!("`{name}` cannot be read: {kind}"),
    }
}

/// Returns the canonical path of a folder; the empty path denotes the working directory.
fn canonical_folder(folder: &Path) -> Option<PathBuf> {
    if folder.as_os_str().is_empty() { Path::new(".").canonicalize().ok() } else { folder.canonicalize().ok() }
}

fn show_folder(folder: &Path) -> String {
    if folder.as_os_str().is_empty() { ".".to_string() } else { folder.display().to_string() }
}
