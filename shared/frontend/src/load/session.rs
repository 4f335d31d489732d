//! Sessions: programs that grow by one input after another.
//!
//! A session keeps what it has read in named core, and is resolved as a whole after each input. So a definition that
//! replaces another one is seen by all procedures that refer to its name, those of earlier inputs among them, as in a
//! Scheme with one top-level environment. A definition that has been replaced stays in the program under a name that
//! no text reads as, since values of later definitions may hold its procedures.
//!
//! A typed language reads the texts of all inputs together ([`SessionReading::Together`]), and a name means the definition
//! before it.
//!
//! The items of an input are evaluated in *groups*, each with a program of its own, so that a name refers to the earlier
//! definition until the one that replaces it is reached: a group ends before a replacing definition of a procedure, and
//! with a replacing definition that is computed. The last item of each program is a constant that no text has
//! ([`Group::program`]): before it the values of all definitions are known.

use super::files::Files;
use super::input::{Input, Options};
use super::known::KnownTexts;
use super::{read_prelude, report_duplicates};
use crate::resolve::{self, Texts};
use crate::vlad::appendix::Appendix;
use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;
use std::rc::Rc;
use vlad_core::Program;
use vlad_core::diagnostic::{Diagnostic, Failure, Kind, Report};
use vlad_core::source::{FileId, Inclusion, KeptFile, KeptSources, SourceFile, SourceMap, Span, blanked};
use vlad_language::named::{Named, NamedItem, Node, NodeId};
use vlad_language::names::{NameId, Names};
use vlad_language::{Completeness, Encoding, Language, SessionReading, Text};

/// The number of an item of a session, which it keeps when items before it are removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionItemId(u32);

/// A session: the definitions of all inputs so far, and the items of an input that is being evaluated.
#[derive(Clone, Debug)]
pub struct Session {
    options: Options,
    sources: SourceMap,
    names: Names,
    named: Named,
    prelude: Vec<NamedItem>,
    known: KnownTexts,
    items: Vec<SessionItem>,
    next: u32,
    /// The constant behind all items.
    tail: NodeId,
    /// The names and the arenas with the prelude and the constant alone.
    base: Rc<(Names, Named)>,
}

/// An item, as a definition or expression.
#[derive(Clone, Copy, Debug)]
struct SessionItem {
    id: SessionItemId,
    item: NamedItem,
    /// The name under which a definition that its own name does not refer to is in the program.
    alias: NameId,
    standing: Standing,
}

/// The referent of the name of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// The name refers to this definition.
    Current,
    /// The definition has been replaced.
    Replaced,
    /// The definition replaces another one, and has not been reached.
    Waiting,
}

/// Items of an input that are evaluated together.
#[derive(Debug)]
pub struct Group {
    /// The program: all items of the session, and the constant behind them.
    pub program: Program,
    /// The items of the session, by their numbers in the program.
    pub ids: Vec<SessionItemId>,
    /// The items of the group, by their numbers in the program.
    pub items: Range<usize>,
}

/// A definition of a session that its name refers to.
#[derive(Clone, Copy, Debug)]
pub struct Definition<'session> {
    /// The name.
    pub name: &'session str,
    /// The span of the name in its definition.
    pub span: Span,
    /// Its number.
    pub id: SessionItemId,
}

/// The value of a definition, as far as texts have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DefinitionValue {
    /// Data, as an expression.
    Data(String),
    /// A value that is no data.
    Other,
    /// None: the definition has not been evaluated to its end.
    None,
}

impl Session {
    /// A session that has read nothing.
    pub fn new(options: Options) -> Session {
        let (mut sources, mut names, mut named) = (SourceMap::default(), Names::new(), Named::new());
        let prelude = read_prelude(&mut sources, &mut names, &mut named);
        let span = prelude.first().map(|item| named.span(item.node()));
        let tail = named.add(Node::Constant(Named::NIL), span.unwrap_or(Span::new(FileId(0), 0, 0)));
        let (known, items) = (KnownTexts::default(), Vec::new());
        let base = Rc::new((names.clone(), named.clone()));
        Session { options, sources, names, named, prelude, known, items, next: 0, tail, base }
    }

    /// Returns the definitions that names refer to, in the order in which they were read.
    pub fn definitions(&self) -> impl Iterator<Item = Definition<'_>> {
        self.items.iter().filter(|item| item.standing == Standing::Current).filter_map(|item| match item.item {
            NamedItem::Define(name, span, _) => Some(Definition { name: self.names.text(name), span, id: item.id }),
            NamedItem::Expression(_) => None,
        })
    }

    /// Returns the definition that a name refers to: the program's own, if there is one, before that of a library.
    pub fn definition(&self, name: &str) -> Option<Definition<'_>> {
        self.definitions()
            .filter(|definition| definition.name == name)
            .min_by_key(|definition| self.sources.is_library(definition.span.file))
    }

    /// Forgets which files have been included: they are read anew where they are included the next time.
    pub fn forget_files(&mut self) {
        self.known.forget_files();
    }

    /// Returns the session with the items of inputs, which are still to be evaluated, and the number of the first of them.
    ///
    /// # Errors
    /// The errors of all passes. They leave this session as it is.
    pub fn with_inputs(&self, inputs: &[Input]) -> Result<(Session, usize), Failure> {
        let (mut session, mut report) = (self.clone(), Report::default());
        let mut completeness = Completeness::Whole;
        let mut items = Vec::new();
        let mut first = session.items.len();
        for input in inputs {
            let own = FileId(session.sources.files().len() as u32);
            let (read, own_completeness) = session.read(input, &mut report);
            match self.reading() {
                SessionReading::Apart => items.extend(read),
                SessionReading::Together => first = session.replace(read, own),
            }
            if own_completeness == Completeness::PartsMissing {
                completeness = own_completeness;
            }
        }
        report_duplicates(&items, (&session.names, &session.sources), &mut report);
        for item in items {
            session.add(item, first);
        }
        match session.resolved(completeness, &mut report) {
            Some(_) => Ok((session, first)),
            None => Err(report.into_failure(session.sources)),
        }
    }

    /// The language of inputs.
    fn language(&self) -> &'static dyn Language {
        self.options.language.unwrap_or(self.options.languages.first())
    }

    /// The way in which texts are read.
    fn reading(&self) -> SessionReading {
        self.language().session().unwrap_or(SessionReading::Apart)
    }

    /// Takes the items of all texts, which have been read together, in place of those that were read before, and returns the
    /// number of the first new one. A definition at the same place is the same one; what is new comes behind, since instances
    /// of definitions of earlier texts and of the library may be.
    fn replace(&mut self, read: Vec<NamedItem>, own: FileId) -> usize {
        let mut known: HashMap<Span, VecDeque<SessionItemId>> = HashMap::new();
        for item in self.items.drain(..) {
            if let NamedItem::Define(_, span, _) = item.item {
                known.entry(span).or_default().push_back(item.id);
            }
        }
        let (mut kept, mut new) = (Vec::new(), Vec::new());
        for item in read {
            match item {
                NamedItem::Define(_, span, _) => match known.get_mut(&span).and_then(VecDeque::pop_front) {
                    Some(id) => kept.push(SessionItem { id, item, alias: Names::IGNORED, standing: Standing::Current }),
                    None => new.push(item),
                },
                NamedItem::Expression(node) if self.named.span(node).file == own => new.push(item),
                NamedItem::Expression(_) => {}
            }
        }
        kept.sort_by_key(|item| item.id);
        let first = kept.len();
        self.items = kept;
        for item in new {
            self.push(item, Names::IGNORED, Standing::Current);
        }
        first
    }

    /// Returns true if an input can be read, and has definitions of procedures alone.
    pub fn reads_procedures(&self, input: &Input) -> bool {
        let (mut session, mut report) = (self.clone(), Report::default());
        let (items, _) = session.read(input, &mut report);
        let is_procedure = |item: &NamedItem| match *item {
            NamedItem::Define(_, _, node) => matches!(session.named.node(node), Node::Lambda(_)),
            NamedItem::Expression(_) => false,
        };
        self.reading() == SessionReading::Apart && report.is_empty() && items.iter().all(is_procedure)
    }

    /// Reads the items of an input.
    fn read(&mut self, input: &Input, report: &mut Report) -> (Vec<NamedItem>, Completeness) {
        let reading = self.reading();
        if reading == SessionReading::Together {
            // All texts are read again.
            (self.names, self.named) = (*self.base).clone();
        }
        let Session { options, sources, names, named, known, .. } = self;
        let own = FileId(sources.files().len() as u32);
        let mut files = Files::new(options, sources, names, named, report).knowing(std::mem::take(known));
        let items = files.read(input.clone(), &Appendix::default());
        let completeness = files.completeness();
        *known = files.into_known();
        if reading == SessionReading::Together {
            known.earlier.push(Text { file: own, encoding: Encoding::Sound });
        }
        (items, completeness)
    }

    /// Returns the names that mean something at top level, in alphabetical order.
    pub fn meaningful_names(&self) -> Vec<String> {
        let of_prelude = self.prelude.iter().filter_map(|item| match item {
            NamedItem::Define(name, ..) => Some(self.names.text(*name)),
            NamedItem::Expression(_) => None,
        });
        let defined = self.definitions().map(|definition| definition.name);
        let language = self.language();
        let mut names: Vec<String> = of_prelude
            .chain(defined)
            .chain(language.words())
            .filter(|name| !name.starts_with('#'))
            .map(str::to_owned)
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Returns the present definitions as a program of their own: the texts of the session, in which all else is blank, so that
    /// its places are those of the session. Where the language reads inputs apart, a definition of data that is not a library's is one of these. One that has no
    /// value, since its evaluation has failed, is left out if no other one mentions its name.
    pub fn program_of_definitions(&self, value: impl Fn(SessionItemId) -> DefinitionValue) -> KeptSources {
        let lost = self.lost(&value);
        let text = |file: &SourceFile, kept: &[Range<u32>]| KeptFile {
            name: file.name.clone(),
            language: file.language.to_owned(),
            text: blanked(&file.text, kept),
        };
        let language = self.language();
        let mut own =
            KeptFile { name: "<session>".to_owned(), language: language.name().to_owned(), text: String::new() };
        let (mut files, mut inclusions) = (Vec::new(), Vec::new());
        match self.reading() {
            SessionReading::Apart => {
                let mut runs: Vec<(FileId, Vec<u32>)> = Vec::new();
                for Definition { name, span, id } in self.definitions() {
                    match (value(id), runs.last_mut()) {
                        _ if lost.contains(&span) => {}
                        // Libraries see their own definitions alone.
                        (DefinitionValue::Data(data), _) if !self.sources.is_library(span.file) => {
                            own.text += &format!("(define {name} {data})\n")
                        }
                        (_, Some((file, places))) if *file == span.file => places.push(span.start),
                        (_, _) => runs.push((span.file, vec![span.start])),
                    }
                }
                for (id, places) in runs {
                    let Some(file) = self.sources.get(id) else { continue };
                    let mut extents = self.extents(file);
                    extents.retain(|extent| places.iter().any(|place| extent.contains(place)));
                    own.text += &format!("(include \"{}\")\n", inclusions.len());
                    let is_library = self.sources.is_library(id);
                    inclusions.push(if is_library { Inclusion::Library } else { Inclusion::First });
                    files.push(text(file, &extents));
                }
            }
            SessionReading::Together => {
                if let Some(library) = language.preamble() {
                    let (name, text) = (library.shown_name(), library.text.to_owned());
                    inclusions.push(Inclusion::Library);
                    files.push(KeptFile { name, language: own.language.clone(), text });
                }
                let read = self.known.data.iter().flatten().chain(&self.known.earlier);
                for (id, file) in read.filter_map(|text| Some((text.file, self.sources.get(text.file)?))) {
                    let mut extents = self.extents(file);
                    extents.retain(|extent| !lost.iter().any(|lost| lost.file == id && extent.contains(&lost.start)));
                    inclusions.push(Inclusion::Data);
                    files.push(text(file, &extents));
                }
            }
        }
        files.insert(0, own);
        KeptSources { files, inclusions }
    }

    /// Returns the places of the definitions that have no value and whose names no other definition mentions.
    fn lost(&self, value: &impl Fn(SessionItemId) -> DefinitionValue) -> HashSet<Span> {
        let has_none = |definition: &Definition<'_>| value(definition.id) == DefinitionValue::None;
        let without: Vec<Definition<'_>> = self.definitions().filter(has_none).collect();
        if without.is_empty() {
            return HashSet::new();
        }
        let mut mentioned: HashSet<&str> = HashSet::new();
        let files = (0..).map(FileId).zip(self.sources.files());
        for (id, file) in files.filter(|(id, _)| self.definitions().any(|definition| definition.span.file == *id)) {
            for extent in self.extents(file) {
                let is_within = |span: Span| span.file == id && extent.contains(&span.start);
                if !without.iter().any(|definition| is_within(definition.span)) {
                    let text = file.text.get(extent.start as usize..extent.end as usize).unwrap_or_default();
                    mentioned.extend(without.iter().map(|other| other.name).filter(|name| mentions(text, name)));
                }
            }
        }
        without.iter().filter(|other| !mentioned.contains(other.name)).map(|definition| definition.span).collect()
    }

    /// Returns the extents of the definitions of a file.
    fn extents(&self, file: &SourceFile) -> Vec<Range<u32>> {
        let language = self.options.languages.named(file.language);
        language.map_or_else(Vec::new, |language| language.definitions(&file.text))
    }

    /// Adds an item of the input whose items begin at `first`.
    fn add(&mut self, item: NamedItem, first: usize) {
        let (alias, standing) = match item {
            NamedItem::Define(name, ..) => {
                let text = self.names.text(name).to_owned();
                let replaces = self.items.iter().take(first).any(|earlier| self.is_replaced(earlier, item));
                (self.names.hidden(&text), if replaces { Standing::Waiting } else { Standing::Current })
            }
            NamedItem::Expression(_) => (Names::IGNORED, Standing::Current),
        };
        self.push(item, alias, standing);
    }

    fn push(&mut self, item: NamedItem, alias: NameId, standing: Standing) {
        let id = SessionItemId(self.next);
        self.next += 1;
        self.items.push(SessionItem { id, item, alias, standing });
    }

    /// Returns the group of items that begins with item `from`; none if there are no items from there on.
    ///
    /// # Errors
    /// The errors of all passes: code whose meaning the input changes may be refused.
    pub fn group(&mut self, from: usize) -> Result<Option<Group>, Failure> {
        let mut end = from;
        while self.replaces_with_procedure(end) {
            self.make_current(end);
            end += 1;
        }
        while end < self.items.len() && !self.replaces_with_procedure(end) {
            end += 1;
            if self.items.get(end - 1).is_some_and(|item| item.standing == Standing::Waiting) {
                break;
            }
        }
        if end == from {
            return Ok(None);
        }
        let mut report = Report::default();
        match self.resolved(Completeness::Whole, &mut report) {
            Some(program) => {
                let ids = self.items.iter().map(|item| item.id).collect();
                Ok(Some(Group { program, ids, items: from..end }))
            }
            None => Err(report.into_failure(self.sources.clone())),
        }
    }

    /// Records that the items of a group have been evaluated.
    pub fn finish_group(&mut self, items: Range<usize>) {
        for place in items {
            if self.items.get(place).is_some_and(|item| item.standing == Standing::Waiting) {
                self.make_current(place);
            }
        }
    }

    /// Ends an input: its expressions are removed, and so are definitions that were to replace others and have not been
    /// reached, since there was an error.
    pub fn finish_input(&mut self) {
        self.items.retain(|item| match item.item {
            NamedItem::Define(..) => item.standing != Standing::Waiting,
            NamedItem::Expression(_) => false,
        });
    }

    /// Returns true for an item that replaces a definition by one that is written as a procedure.
    fn replaces_with_procedure(&self, place: usize) -> bool {
        self.items.get(place).is_some_and(|item| {
            item.standing == Standing::Waiting && matches!(self.named.node(item.item.node()), Node::Lambda(_))
        })
    }

    /// Makes the name of a definition refer to it.
    fn make_current(&mut self, place: usize) {
        let Some(SessionItem { item, .. }) = self.items.get(place).copied() else { return };
        let is_replaced: Vec<bool> = self.items.iter().map(|other| self.is_replaced(other, item)).collect();
        for (other, (item, is_replaced)) in self.items.iter_mut().zip(is_replaced).enumerate() {
            if other == place {
                item.standing = Standing::Current;
            } else if is_replaced {
                item.standing = Standing::Replaced;
            }
        }
    }

    /// Returns true for the current definition of a name that a definition replaces: both are of libraries, or both are not.
    fn is_replaced(&self, earlier: &SessionItem, by: NamedItem) -> bool {
        let is_library = |span: Span| self.sources.is_library(span.file);
        match (earlier.item, by) {
            (NamedItem::Define(earlier_name, earlier_span, _), NamedItem::Define(name, span, _)) => {
                earlier.standing == Standing::Current
                    && earlier_name == name
                    && is_library(earlier_span) == is_library(span)
            }
            (NamedItem::Define(..) | NamedItem::Expression(_), _) => false,
        }
    }

    /// Resolves the names of all items; none if anything has been reported.
    fn resolved(&self, completeness: Completeness, report: &mut Report) -> Option<Program> {
        let mut items: Vec<NamedItem> = self.items.iter().map(SessionItem::named).collect();
        items.push(NamedItem::Expression(self.tail));
        let texts = Texts { names: &self.names, prelude: &self.prelude, items: &items, sources: &self.sources };
        // Resolving rewrites applications by the meanings that names have now, and these may change.
        let mut program = resolve::resolve(texts, &mut self.named.clone(), completeness, report)?;
        program.sources = self.sources.clone();
        program.notes = self.named.notes.clone();
        program.elementwise = self.options.languages.elementwise();
        Some(program)
    }
}

impl SessionItem {
    /// The item with the name under which it is in the program.
    fn named(&self) -> NamedItem {
        match (self.item, self.standing) {
            (NamedItem::Define(_, span, node), Standing::Replaced | Standing::Waiting) => {
                NamedItem::Define(self.alias, span, node)
            }
            (item @ (NamedItem::Define(..) | NamedItem::Expression(_)), _) => item,
        }
    }
}

/// Returns true if a name stands in a text as a word.
fn mentions(text: &str, name: &str) -> bool {
    let is_of_word = |character: char| character.is_alphanumeric() || character == '_';
    text.match_indices(name).any(|(at, _)| {
        let (before, behind) = (text.get(..at).unwrap_or_default(), text.get(at + name.len()..).unwrap_or_default());
        !before.ends_with(is_of_word) && !behind.starts_with(is_of_word)
    })
}

/// Returns true if all that is wrong is names that are not defined.
pub fn only_lacks_names(failure: &Failure) -> bool {
    failure.diagnostics.iter().all(|diagnostic: &Diagnostic| diagnostic.kind == Kind::Unbound)
}
