//! The interface of a language: the passes from its text to named core.
//!
//! A front end implements [`Language`], and `vlad_frontend::languages` names it. Everything else is common to all
//! languages: finding and reading files, `include`, the prelude, name resolution, diagnostics, capsule files, the
//! engines and every subcommand. So a program may include texts of several languages.
//!
//! A language that has rules of its own for names or types checks them before it returns named core. Name resolution
//! reports the names that are still unbound. A language that refuses the definition of a name says so by
//! [`Named::mark_refused`], so that uses of the name are not reported as well. To mean a primitive whatever the program
//! defines, named core refers to [`Names::primitive`].

pub mod interface;
mod invisible;
pub mod library;
pub mod named;
pub mod names;
pub mod suggest;

pub use invisible::invisible;

use crate::interface::{Interface, Structure};
use crate::library::Library;
use crate::named::{Named, NamedItem};
use crate::names::{NameId, Names};
use std::collections::HashMap;
use std::fmt::Debug;
use std::ops::Range;
use std::panic::RefUnwindSafe;
use vlad_core::diagnostic::{Diagnostic, Kind, Report};
use vlad_core::source::{FileId, SourceMap, Span};
use vlad_core::{InputNotation, OutputNotation};
use vlad_data::Data;

/// A language in which programs are written.
pub trait Language: Debug + Sync + RefUnwindSafe {
    /// The name for `--language`, which capsule files keep, too.
    fn name(&self) -> &'static str;

    /// The extensions of its files, without the dot. The name in an `include` may leave them out.
    fn extensions(&self) -> &'static [&'static str];

    /// The libraries that its texts can include.
    fn libraries(&self) -> &'static [Library];

    /// The library that every text has without an `include`; its definitions are not those of the program. It is given to
    /// [`Language::read`] with the text.
    fn preamble(&self) -> Option<&'static Library> {
        None
    }

    /// The language of expressions that options of a command append to a program in this language.
    fn appended(&self) -> AppendedLanguage {
        AppendedLanguage::Vlad
    }

    /// Returns a name of a definition as the language spells it.
    fn spelled(&self, name: &str) -> String {
        name.to_owned()
    }

    /// The use of pairs in its data.
    fn pairs(&self) -> Pairs {
        Pairs::Lists
    }

    /// Returns the text of a definition of a datum by a name, for `--data`; none if the language has no such definition.
    fn definition_of_data(&self, _name: &str, _datum: &Data) -> Option<DataDefinition> {
        None
    }

    /// Returns true if the language checks the number of operands of calls itself: then nothing else warns of it.
    fn checks_calls(&self) -> bool {
        false
    }

    /// The notation of the input of programs whose own text is in the language.
    fn input(&self) -> InputNotation {
        InputNotation::Words
    }

    /// The notation of data that programs whose own text is in the language print if they are asked to.
    fn output(&self) -> OutputNotation {
        OutputNotation::Common
    }

    /// The comments that state the expectations of corpus cases.
    fn comment(&self) -> Comment;

    /// Returns the way in which the texts of a session are read; none if the language has no sessions.
    fn session(&self) -> Option<SessionReading> {
        None
    }

    /// Returns true if a text, the lines of an input that have been typed so far, is only the beginning of one.
    fn is_unfinished(&self, _: &str) -> bool {
        false
    }

    /// Returns the extents of the definitions of a text, as offsets, if the text has no errors. Other items may be among them.
    fn definitions(&self, _: &str) -> Vec<Range<u32>> {
        Vec::new()
    }

    /// Returns the procedure and the operand of a call as texts, if a text is a call.
    fn call_parts(&self, _: &str) -> Option<(String, String)> {
        None
    }

    /// The words that mean something in every text, beside the names that are defined.
    fn words(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// Returns the names of the texts that are read with a text, in place of lines of it, in their order. They are found and
    /// read before [`Language::read`] gets them, unless their extension is that of another language.
    fn parts(&self, _: Text, _: &SourceMap) -> Vec<PartName> {
        vec![]
    }

    /// Reads a text to named core. Errors are reported; what is returned beside them is what the following passes can
    /// still check.
    fn read(&self, text: Text, reading: &mut ReadingContext<'_>) -> Vec<Piece>;

    /// Describes the tokens of a text, one per line.
    fn tokens(&self, text: Text, reading: &mut ReadingContext<'_>) -> String;

    /// Describes the syntax tree of a text.
    fn tree(&self, text: Text, reading: &mut ReadingContext<'_>) -> String;

    /// Describes the typed tree of a text, as a text that reads back. A language without types reports that.
    fn typed(&self, _: Text, reading: &mut ReadingContext<'_>) -> String {
        let message = format!("a program in `{}` has no types to show", self.name());
        reading.report.push(Diagnostic::new(Kind::Type, None, message));
        String::new()
    }

    /// Returns the language that reads the same texts, and rewrites them otherwise; none if it does not rewrite. Its name
    /// tells the difference, so that a stored program is read again as it was read.
    fn rewriting(&self, _: Rewriting) -> Option<&'static dyn Language> {
        None
    }

    /// Returns the language that reads the same texts, and differentiates in reverse mode by an operator; none if it has no
    /// construct of its own for that mode. Its name tells the difference, too.
    fn reverse_by(&self, _: ReverseOperator) -> Option<&'static dyn Language> {
        None
    }

    /// Describes how a function is rewritten, step by step. A language that does not rewrite reports that.
    fn rewrites(&self, _: Text, _: &str, reading: &mut ReadingContext<'_>) -> String {
        let message = format!("a program in `{}` is not rewritten", self.name());
        reading.report.push(Diagnostic::new(Kind::Type, None, message));
        String::new()
    }

    /// Returns the types of the expressions that are appended to a text as procedures, in their order. A language without
    /// types reports that.
    fn interfaces(&self, _: Text, reading: &mut ReadingContext<'_>) -> Vec<Interface> {
        let message = format!("a program in `{}` does not tell the types of what is exported", self.name());
        let hint = "write them behind the name or the expression, as in f:vector,real->real";
        reading.report.push(Diagnostic::new(Kind::Type, None, message).with_hint(hint));
        Vec::new()
    }

    /// Returns the structures of the operands of the expressions that are appended to a text, in their order; none for one that is
    /// no function of data. A language without types knows none.
    fn operands(&self, _: Text, _: &mut ReadingContext<'_>) -> Vec<Vec<Structure>> {
        Vec::new()
    }

    /// Describes a text after closure conversion and specialisation of what it nests, as a text that reads back. A language
    /// without that form reports it.
    fn lifted(&self, _: Text, reading: &mut ReadingContext<'_>) -> String {
        let message = format!("a program in `{}` has no lifted form", self.name());
        reading.report.push(Diagnostic::new(Kind::Type, None, message));
        String::new()
    }

    /// Describes the derivative of a function, as a text. A language whose derivatives are no code of its own reports that.
    fn derivative(&self, _: Text, _: &str, reading: &mut ReadingContext<'_>) -> String {
        let message = format!("a derivative in `{}` is no code of the language", self.name());
        let hint = "`vlad show forward` and `vlad show reverse` show the transformations of a procedure";
        reading.report.push(Diagnostic::new(Kind::Type, None, message).with_hint(hint));
        String::new()
    }
}

/// The use of pairs in the data of a language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pairs {
    /// Pairs make up lists and tuples.
    #[default]
    Lists,
    /// A pair has two parts, and makes up nothing else.
    Halves,
}

/// A definition of a datum in a language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataDefinition {
    /// Its text.
    Text(String),
    /// The name is no name of the language.
    NoName,
    /// The language has no such datum, for that reason.
    NoDatum(&'static str),
}

/// The rewriting of a program before it is run, by a language that has rules for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rewriting {
    /// The program is run as it is written.
    Off,
    /// Rules are applied that keep all bits, but for the signs of zeros in derivatives.
    On,
    /// Rules of algebra are applied as well, which round otherwise.
    Algebra,
}

impl Rewriting {
    /// All of them.
    pub const ALL: [Rewriting; 3] = [Rewriting::Off, Rewriting::On, Rewriting::Algebra];
}

/// The way in which the texts of a session are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionReading {
    /// Each by itself. A name means its present definition, wherever it stands.
    Apart,
    /// All together after each input, since the types of definitions depend on their uses. A name means the definition before
    /// it.
    Together,
}

/// The operator of reverse mode that the blocks of a language stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReverseOperator {
    /// `*j`, which keeps a record of the whole execution.
    Recording,
    /// `checkpoint-*j`, which keeps a few states, and executes parts again.
    Checkpointing,
}

impl ReverseOperator {
    /// All of them.
    pub const ALL: [ReverseOperator; 2] = [ReverseOperator::Recording, ReverseOperator::Checkpointing];
}

/// A comment on a line of its own: the text before and after what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment {
    /// The text before.
    pub open: &'static str,
    /// The text after.
    pub close: &'static str,
}

impl Comment {
    /// Returns the line with a comment.
    pub fn line(self, says: &str) -> String {
        format!("{}{says}{}", self.open, self.close)
    }

    /// Returns what a line says, if it is such a comment.
    pub fn content(self, line: &str) -> Option<&str> {
        line.strip_prefix(self.open)?.strip_suffix(self.close)
    }
}

/// The language of expressions that are appended to a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppendedLanguage {
    /// VLAD, whose names are those that the program defines.
    Vlad,
    /// The program's own: [`Language::read`] gets them with the program, and returns a definition of each behind its
    /// items.
    Own,
}

/// An expression that is appended to a program, as the language of the program gets it.
#[derive(Clone, Debug)]
pub struct AppendedText {
    /// Its text.
    pub text: Text,
    /// Its name in diagnostics.
    pub shown: String,
    /// The name of its value, which no text reads as.
    pub name: NameId,
    /// The use of its value.
    pub usage: Usage,
}

/// The use of an expression that is appended to a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usage {
    /// A value, as it is.
    Value,
    /// A procedure that is called from outside of the language, with data that an [`Interface`] describes. A language without
    /// types leaves it as it is.
    Procedure,
}

/// A text to be read.
#[derive(Clone, Copy, Debug)]
pub struct Text {
    /// Its number in the source map.
    pub file: FileId,
    /// Its encoding.
    pub encoding: Encoding,
}

impl Text {
    /// Returns the span of the whole text.
    pub fn whole(self, sources: &SourceMap) -> Span {
        let length = sources.get(self.file).map_or(0, |file| file.text.len());
        Span::new(self.file, 0, length as u32)
    }
}

/// The name of a text that is read in place of a line of another one.
#[derive(Clone, Debug)]
pub struct PartName {
    /// The name, as in an `include`.
    pub name: String,
    /// The place of the name.
    pub span: Span,
}

/// A text that is named in another one, in place of a line.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// The text.
    Text(Text),
    /// A text in another language: the language that names it returns a [`Piece::Include`] for it.
    Other,
    /// It could not be read, which has been reported.
    Missing,
}

/// The parts of a text and of its parts, by the places of their names.
pub type Parts = HashMap<Span, Part>;

/// The encoding of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// The text was UTF-8.
    Sound,
    /// Bytes that were not UTF-8 have been reported and replaced by the replacement character.
    Replaced,
}

/// The state of reading a program that a language has access to.
#[derive(Debug)]
pub struct ReadingContext<'loading> {
    /// The texts read so far.
    pub sources: &'loading SourceMap,
    /// The library that the text has without an `include`.
    pub preamble: Option<Text>,
    /// The texts of definitions that precede the text, in its language: those of `--data`.
    pub data: &'loading [Text],
    /// The texts that are read in place of lines of the text, and of lines of those.
    pub parts: &'loading Parts,
    /// The expressions that are appended to the program, if they are in its language.
    pub appended: &'loading [AppendedText],
    /// The texts before this one in a session, if the language reads all of them together: their definitions are seen, and their
    /// items come before those of the text.
    pub earlier: &'loading [Text],
    /// The names of the program.
    pub names: &'loading mut Names,
    /// The arenas of named core.
    pub named: &'loading mut Named,
    /// The errors found so far.
    pub report: &'loading mut Report,
    /// The completeness of the texts, which a language lowers for a text that it cannot read to its end.
    pub completeness: &'loading mut Completeness,
}

impl ReadingContext<'_> {
    /// Returns the characters of a text.
    pub fn text(&self, text: Text) -> &str {
        self.sources.get(text.file).map_or("", |file| file.text.as_str())
    }
}

/// A part of a text, in the order of the text.
#[derive(Clone, Debug)]
pub enum Piece {
    /// A definition or an expression.
    Item(NamedItem),
    /// The place of the items of another text.
    Include {
        /// The name of its file or library.
        name: String,
        /// The span of the name.
        span: Span,
    },
}

/// The completeness of the program's texts. If a text is missing, unbound names are not reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completeness {
    /// All texts could be read.
    Whole,
    /// Some text could not be read.
    PartsMissing,
}
