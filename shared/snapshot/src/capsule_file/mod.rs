//! Suspended runs in files (report, part 16).
//!
//! A file holds everything that is needed to continue the run: the texts of the program, the points of its core at
//! which the run is suspended, the values that its continuation needs, and its step count. Nothing in it belongs to one
//! engine or one machine.
//!
//! ```text
//! Suspended --write--> bytes --open--> header and texts --program--> core --suspended--> Suspended
//! ```
//!
//! Invariant: whatever the bytes are, reading them ends in a [`Refusal`] or in a [`Suspended`] from which every engine
//! can continue without harm. Reading takes memory and time in proportion to the number of bytes, and constant host
//! stack. The checksum detects damage; the consistency of the parts is checked as if there were no checksum.

mod bytes;
pub mod code;
mod fingerprint;
mod instruction;
pub mod points;
mod read;
mod refusal;
mod write;

use bytes::{Sink, Source};
use code::{Code, ProgramHash};
use fingerprint::Fingerprint;
use points::{PointsOwner, ProgramFacts};
pub use refusal::{Refusal, VERSION};
use std::io::{self, Write};
use vlad_core::source::{Inclusion, KeptFile, KeptSources, MOST_BYTES};
use vlad_core::{GlobalId, Item, Program};
use vlad_runtime::suspended::Suspended;
use vlad_values::Value;
use write::Writer;

/// The first bytes of every file: a byte that is not text, the name, and line ends that a transfer as text would
/// change.
const MAGIC: [u8; 8] = *b"\x93VLAD\r\n\x1A";

/// The last version of the form in which files have a fingerprint of functions.
const WITH_FINGERPRINT: u64 = 6;

/// A bound on steps that no run reaches, from which engines can still continue to count.
const MOST_STEPS: u64 = 1 << 60;

/// Writes a suspended run of a program.
///
/// # Errors
/// Returns the errors of the output.
pub fn write(program: &Program, suspended: &Suspended, out: &mut dyn Write) -> io::Result<()> {
    let facts = ProgramFacts::of(program);
    let mut sink = Sink::new(out);
    sink.bytes(&MAGIC)?;
    sink.number(VERSION)?;
    sink.bytes(&facts.code.hash)?;
    write_sources(&KeptSources::of(&program.sources), &mut sink)?;
    sink.number(suspended.steps)?;
    sink.number(suspended.item as u64)?;
    facts.write(&suspended.point_stack, &mut sink)?;
    let mut writer = Writer::new(&facts, &mut sink);
    for global in computed_definitions(program, suspended.item) {
        if let Some(Some(value)) = suspended.globals.get(global.0 as usize) {
            writer.value(value)?;
        }
    }
    for value in &suspended.values {
        writer.value(value)?;
    }
    sink.byte(instruction::END)?;
    sink.finish()
}

fn write_sources(sources: &KeptSources, sink: &mut Sink<'_>) -> io::Result<()> {
    sink.number(sources.files.len() as u64)?;
    for KeptFile { name, language, text } in &sources.files {
        sink.text(name)?;
        sink.text(language)?;
        sink.text(text)?;
    }
    sink.number(sources.inclusions.len() as u64)?;
    for inclusion in &sources.inclusions {
        sink.byte(match inclusion {
            Inclusion::First => 0,
            Inclusion::Again => 1,
            Inclusion::Library => 2,
            Inclusion::Data => 3,
        })?;
    }
    Ok(())
}

/// The definitions before an item whose values do not follow from the code alone, in order.
fn computed_definitions(program: &Program, item: usize) -> impl Iterator<Item = GlobalId> {
    program.items.iter().take(item).filter_map(|item| match *item {
        Item::Define(global, node) if program.procedure_at(node).is_none() => Some(global),
        Item::Define(..) | Item::Expression(_) => None,
    })
}

/// A file whose header and texts have been read.
#[derive(Debug)]
pub struct CapsuleFile<'file> {
    hash: ProgramHash,
    /// Of a file whose functions were those of a C library.
    functions: Option<Fingerprint>,
    sources: KeptSources,
    steps: u64,
    item: usize,
    rest: Source<'file>,
}

/// The number of bytes that suffice to recognise a capsule file.
pub const HEAD: usize = MAGIC.len();

/// Returns true if a file with this beginning may be a capsule file.
pub fn may_be_one(head: &[u8]) -> bool {
    head.starts_with(&MAGIC)
}

/// Reads the header and the texts of a file.
///
/// # Errors
/// Returns a refusal if it is not a capsule file, is of another version, or is damaged.
pub fn open(file: &[u8]) -> Result<CapsuleFile<'_>, Refusal> {
    let mut source = Source::new(file);
    if source.array() != Ok(MAGIC) {
        return Err(Refusal::Foreign);
    }
    let version = source.number()?;
    if version != VERSION && version != WITH_FINGERPRINT {
        return Err(Refusal::OtherVersion(version));
    }
    let mut source = source.without_checksum(file)?;
    let hash = source.array()?;
    let mut functions = None;
    if version == WITH_FINGERPRINT {
        let mut fingerprint = Fingerprint::default();
        for function in &mut fingerprint {
            *function = source.array()?;
        }
        functions = Some(fingerprint);
    }
    let sources = read_sources(&mut source)?;
    let steps = source.number()?;
    if steps > MOST_STEPS {
        return Err(Refusal::damaged("no run takes so many steps"));
    }
    let item = usize::try_from(source.number()?).unwrap_or(usize::MAX);
    Ok(CapsuleFile { hash, functions, sources, steps, item, rest: source })
}

fn read_sources(source: &mut Source<'_>) -> Result<KeptSources, Refusal> {
    let (mut files, mut length) = (Vec::new(), 0);
    for _ in 0..source.number()? {
        let [name, language, text] = [source.text()?, source.text()?, source.text()?].map(str::to_owned);
        length += text.len() as u64;
        files.push(KeptFile { name, language, text });
    }
    let mut inclusions = Vec::new();
    for _ in 0..source.number()? {
        inclusions.push(match source.byte()? {
            0 => Inclusion::First,
            1 => Inclusion::Again,
            2 => Inclusion::Library,
            3 => Inclusion::Data,
            _ => return Err(Refusal::damaged("it does not say how its files include each other")),
        });
    }
    if length > MOST_BYTES {
        return Err(Refusal::damaged("its program is longer than programs may be"));
    }
    Ok(KeptSources { files, inclusions })
}

impl CapsuleFile<'_> {
    /// The names of the languages of the program's texts.
    pub fn languages(&self) -> impl Iterator<Item = &str> {
        self.sources.files.iter().map(|file| file.language.as_str())
    }

    /// The program that was suspended: `load` reads its texts, and returns nothing if they are no program here.
    ///
    /// # Errors
    /// Refuses texts that are no program here, or not the one that was suspended.
    pub fn program(&self, load: impl FnOnce(KeptSources) -> Option<Program>) -> Result<Program, Refusal> {
        let program = load(self.sources.clone()).ok_or(Refusal::OtherMeaning)?;
        if Code::of(&program).hash == self.hash { Ok(program) } else { Err(Refusal::OtherMeaning) }
    }

    /// The number of steps that the run had taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Reads the suspended run, of its own program or of one with the same core.
    ///
    /// # Errors
    /// Returns a refusal if the program is another one, or if the file is damaged.
    pub fn suspended(&self, program: &Program) -> Result<Suspended, Refusal> {
        let facts = ProgramFacts::at_item(program, self.item);
        if facts.code.hash != self.hash {
            return Err(Refusal::OtherProgram);
        }
        if let Some(functions) = &self.functions {
            let differing = fingerprint::differing(functions, &facts.code, program);
            if !differing.is_empty() {
                return Err(Refusal::OtherFunctions(differing));
            }
        }
        let mut source = self.rest;
        let point_stack = facts.read(PointsOwner::Item(self.item), &mut source)?;
        let mut values = read::values(&facts, &mut source)?.into_iter();
        let mut globals = known_globals(program, self.item);
        for GlobalId(global) in computed_definitions(program, self.item) {
            let value = values.next().ok_or(Refusal::damaged("a definition has no value"))?;
            if let Some(place) = globals.get_mut(global as usize) {
                *place = Some(value);
            }
        }
        let values: Vec<Value> = values.collect();
        if !source.is_empty() || !facts.are_needed(&point_stack, &values) {
            return Err(Refusal::damaged("it lacks values that its program needs"));
        }
        Ok(Suspended { item: self.item, globals, point_stack, values, steps: self.steps })
    }
}

/// The values of definitions that follow from the code alone, when an item is evaluated.
fn known_globals(program: &Program, item: usize) -> Vec<Option<Value>> {
    let mut globals = vec![None; program.globals.len()];
    let of_items = program.items.iter().take(item).filter_map(|item| match *item {
        Item::Define(global, node) => Some((global, program.procedure_at(node)?)),
        Item::Expression(_) => None,
    });
    for (global, code) in program.prelude.iter().copied().chain(of_items) {
        if let Some(place) = globals.get_mut(global.0 as usize) {
            *place = Some(Value::Procedure { code, slots: None });
        }
    }
    globals
}
