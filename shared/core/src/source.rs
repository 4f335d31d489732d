//! Source texts and spans, the places in them.
//!
//! A span is a file and a half-open range of byte offsets. Files are numbered in the order in which they are first
//! read; the prelude, which belongs to every program, is a file like any other.

use std::ops::Range;

/// The greatest number of bytes of a program, small enough that 32-bit numbers suffice for all its parts.
pub const MOST_BYTES: u64 = 64 << 20;

/// The number of a source text within a [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A half-open range of byte offsets within one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file that the offsets refer to.
    pub file: FileId,
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` up to, not including, `end`.
    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        Span { file, start, end }
    }

    /// The smallest span that covers both, which must be of one file.
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A source text with the name used in diagnostics.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The name to show: a path as the user gave it, `<stdin>`, `<expression>` or `<prelude>`.
    pub name: String,
    /// The name of its language.
    pub language: &'static str,
    /// The text. Bytes that are not UTF-8 have been reported and replaced.
    pub text: String,
    /// The offsets at which lines begin; the first is 0.
    line_starts: Vec<u32>,
    /// The number of characters that begin before each stretch of [`STRETCH`] bytes, so that finding a column in a long
    /// line takes no count from its beginning.
    characters: Vec<u32>,
}

/// The bytes between two entries of [`SourceFile::characters`].
const STRETCH: usize = 1 << 10;

/// Returns the number of characters that begin in some bytes: each has exactly one byte that is not a continuation
/// byte.
fn characters_in(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count() as u32
}

/// A place in the form shown to people: line and column (in characters) from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

impl SourceFile {
    fn new(name: String, language: &'static str, text: String) -> Self {
        let mut line_starts = vec![0];
        line_starts.extend(line_ends(&text).map(|(_, next)| next as u32));
        let mut before = 0;
        let counted = text.as_bytes().chunks(STRETCH).map(|stretch| {
            before += characters_in(stretch);
            before
        });
        let characters = std::iter::once(0).chain(counted).collect();
        SourceFile { name, language, text, line_starts, characters }
    }

    /// Returns the line (from 0) that contains the byte at `offset`.
    fn line_of(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// Returns line and column of a byte offset; an offset inside a character counts as that character.
    pub fn position(&self, offset: u32) -> Position {
        let line = self.line_of(offset);
        let start = self.line_starts.get(line).copied().unwrap_or(0);
        let column = self.characters_before(offset).saturating_sub(self.characters_before(start)) + 1;
        Position { line: line as u32 + 1, column }
    }

    /// Returns the number of characters that begin before an offset.
    fn characters_before(&self, offset: u32) -> u32 {
        let offset = (offset as usize).min(self.text.len());
        let stretch = offset / STRETCH;
        let rest = self.text.as_bytes().get(stretch * STRETCH..offset).unwrap_or(&[]);
        self.characters.get(stretch).copied().unwrap_or(0) + characters_in(rest)
    }

    /// Returns the text of a line (counted from 1) without its line end.
    pub fn line_text(&self, line: u32) -> &str {
        let index = (line as usize).saturating_sub(1);
        let start = self.line_starts.get(index).copied().unwrap_or(0) as usize;
        let end = self.line_starts.get(index + 1).map_or(self.text.len(), |next| *next as usize);
        self.text.get(start..end).unwrap_or("").trim_end_matches(['\n', '\r'])
    }
}

/// Returns the ends of the lines of a text, each with the beginning of the next one. A line feed ends a line, a carriage return,
/// and both together.
pub fn line_ends(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let bytes = text.as_bytes();
    bytes.iter().enumerate().filter_map(move |(at, byte)| {
        let is_pair = bytes.get(at + 1) == Some(&b'\n');
        let is_second = at > 0 && bytes.get(at - 1) == Some(&b'\r');
        match byte {
            b'\r' if is_pair => Some((at, at + 2)),
            b'\r' => Some((at, at + 1)),
            b'\n' if !is_second => Some((at, at + 1)),
            _ => None,
        }
    })
}

/// Returns a text with spaces in the place of all characters outside of some extents, which are in order. White space stays, so
/// that each character keeps its line and its column.
pub fn blanked(text: &str, kept: &[Range<u32>]) -> String {
    let mut kept = kept.iter().peekable();
    let blank = |(at, character): (usize, char)| {
        while kept.next_if(|extent| extent.end as usize <= at).is_some() {}
        let is_kept = kept.peek().is_some_and(|extent| extent.start as usize <= at);
        if is_kept || character.is_whitespace() { character } else { ' ' }
    };
    text.char_indices().map(blank).collect()
}

/// The resolution of a form that includes a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inclusion {
    /// The file has been read: it is the next one in the map.
    First,
    /// A library that comes with vlad has been read: it is the next one in the map.
    Library,
    /// The file is in the map already.
    Again,
    /// No form, but an option of the command: the next text in the map defines data of the program.
    Data,
}

/// All the source texts of one program.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    inclusions: Vec<Inclusion>,
    /// The files that are libraries.
    libraries: Vec<FileId>,
    /// The files that define data.
    data: Vec<FileId>,
}

impl SourceMap {
    /// Adds a text in a language under a name and returns its number.
    pub fn add(&mut self, name: impl Into<String>, language: &'static str, text: impl Into<String>) -> FileId {
        self.files.push(SourceFile::new(name.into(), language, text.into()));
        FileId(self.files.len() as u32 - 1)
    }

    /// Records the resolution of a form that includes a file, before the file is added.
    pub fn include(&mut self, inclusion: Inclusion) {
        let next = FileId(self.files.len() as u32);
        match inclusion {
            Inclusion::Library => self.libraries.push(next),
            Inclusion::Data => self.data.push(next),
            Inclusion::First | Inclusion::Again => {}
        }
        self.inclusions.push(inclusion);
    }

    /// Returns the resolutions of the forms that include files, in the order in which they were read. Together with the
    /// texts they suffice to read the program again.
    pub fn inclusions(&self) -> &[Inclusion] {
        &self.inclusions
    }

    /// Returns true if a file is a library that comes with vlad.
    pub fn is_library(&self, file: FileId) -> bool {
        self.libraries.contains(&file)
    }

    /// Returns true if a file defines data of the program.
    pub fn is_data(&self, file: FileId) -> bool {
        self.data.contains(&file)
    }

    /// Returns the file of that number, if there is one.
    pub fn get(&self, file: FileId) -> Option<&SourceFile> {
        self.files.get(file.0 as usize)
    }

    /// Returns the files, in the order of their numbers.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// Returns the text that a span covers; empty for a span of no file.
    pub fn text(&self, span: Span) -> &str {
        self.get(span.file).and_then(|file| file.text.get(span.start as usize..span.end as usize)).unwrap_or("")
    }
}

/// The texts of a program without the prelude, and the resolutions of its inclusions; reading it again takes no other
/// file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptSources {
    /// The files, in the order in which they were first read.
    pub files: Vec<KeptFile>,
    /// The resolutions of the forms that include files.
    pub inclusions: Vec<Inclusion>,
}

/// A text of a program with its name and language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptFile {
    /// The name in diagnostics.
    pub name: String,
    /// The name of the language.
    pub language: String,
    /// The text.
    pub text: String,
}

impl KeptFile {
    fn of(file: &SourceFile) -> KeptFile {
        KeptFile { name: file.name.clone(), language: file.language.to_owned(), text: file.text.clone() }
    }
}

impl KeptSources {
    /// Returns the texts of a program.
    pub fn of(sources: &SourceMap) -> KeptSources {
        // The prelude is read after the program.
        let files = sources.files().split_last().map_or(&[][..], |(_prelude, files)| files);
        let files = files.iter().map(KeptFile::of).collect();
        KeptSources { files, inclusions: sources.inclusions().to_vec() }
    }
}
