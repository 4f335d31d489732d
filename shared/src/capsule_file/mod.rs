//! Suspended runs in files (report, part 16).
//!
//! A file holds everything that going on needs: the texts of the program, where the run stands in terms of its core, the
//! values that the rest of it needs, and the count of its steps. Nothing in it belongs to one engine or one machine.
//!
//! ```text
//! Suspended --write--> bytes --open--> header and texts --program--> core --suspended--> Suspended
//! ```
//!
//! Invariant: whatever the bytes are, reading them ends in a [`Refusal`] or in a [`Suspended`] from which every engine can
//! go on without harm; it takes memory and time in proportion to their number, and constant host stack. The checksum
//! tells damage; that the parts fit together is checked as if there were none.

mod bytes;
pub mod code;
mod libm;
pub mod points;
mod read;
mod write;

use crate::core::{GlobalId, Item, Program};
use crate::load::files::ALLOWED;
use crate::load::{Input, KeptSources, Options, load};
use crate::source::Inclusion;
use crate::suspended::Suspended;
use crate::value::Value;
use bytes::{Sink, Source};
use code::{Code, ProgramHash};
use points::{Ground, Whose};
use std::fmt;
use std::io::{self, Write};
use write::Writer;

/// What every file begins with: a byte that is no text, the name, and line ends that a transfer as text would change.
const MAGIC: [u8; 8] = *b"\x93VLAD\r\n\x1A";

/// The version of the form. It changes with any change of it.
pub const VERSION: u64 = 4;

/// More steps than any run takes: so many that engines can count on from there.
const MOST_STEPS: u64 = 1 << 60;

/// The instructions of the program for a stack that values are written as.
mod instruction {
    pub const END: u8 = 0;
    pub const NIL: u8 = 1;
    pub const FALSE: u8 = 2;
    pub const TRUE: u8 = 3;
    pub const REAL: u8 = 4;
    pub const HOLE: u8 = 5;
    pub const PRIMITIVE: u8 = 6;
    pub const PAIR: u8 = 7;
    pub const PROCEDURE: u8 = 8;
    pub const PROCEDURE_AGAIN: u8 = 9;
    pub const OPEN: u8 = 10;
    pub const SKELETON: u8 = 11;
    pub const CAPSULE: u8 = 12;
    pub const KEEP: u8 = 13;
    pub const AGAIN: u8 = 14;
    pub const PERTURBATION: u8 = 15;
    pub const SENSITIVITY: u8 = 16;
    pub const REVERSE: u8 = 17;
    pub const CONSTANT: u8 = 18;
    pub const BUNDLE: u8 = 19;
    pub const BUNDLE_OF_PERTURBATION: u8 = 20;
    pub const BACKPROPAGATOR: u8 = 21;
    pub const BACKPROPAGATOR_OF_OTHERS: u8 = 22;
    pub const CAPSULE_OF_OTHERS: u8 = 23;
    pub const VECTOR: u8 = 24;
    pub const VECTOR_OF_REALS: u8 = 25;
}

/// Why a file is not gone on from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is no capsule file.
    Foreign,
    /// It has a form that is not known here.
    OtherVersion(u64),
    /// It is not what was written.
    Damaged(&'static str),
    /// Its own program means something else here.
    OtherMeaning,
    /// Another program is to go on than the one that was suspended.
    OtherProgram,
}

impl Refusal {
    /// A procedure of code that has not had its turn.
    const NOT_MADE: Refusal = Refusal::damaged("a procedure in it has not been made yet");

    const fn damaged(how: &'static str) -> Refusal {
        Refusal::Damaged(how)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Foreign => out.write_str("is no capsule file"),
            Refusal::OtherVersion(version) => {
                let whose = if *version > VERSION { "a newer" } else { "an older" };
                write!(
                    out,
                    "is a capsule file of version {version}, written by {whose} vlad; this one reads version {VERSION}"
                )
            }
            Refusal::Damaged(how) => write!(out, "is a damaged capsule file: {how}"),
            Refusal::OtherMeaning => {
                out.write_str("was written by another version of vlad, in which its program is another one")
            }
            Refusal::OtherProgram => out.write_str("is a capsule of another program"),
        }
    }
}

/// Writes a suspended run of a program.
///
/// # Errors
/// Those of the output.
pub fn write(program: &Program, suspended: &Suspended, out: &mut dyn Write) -> io::Result<()> {
    let ground = Ground::of(program);
    let mut sink = Sink::new(out);
    sink.bytes(&MAGIC)?;
    sink.number(VERSION)?;
    sink.bytes(&ground.code.hash)?;
    for function in libm::fingerprint() {
        sink.bytes(&function)?;
    }
    write_sources(&KeptSources::of(program), &mut sink)?;
    sink.number(suspended.steps)?;
    sink.number(suspended.item as u64)?;
    ground.write(&suspended.standing, &mut sink)?;
    let mut writer = Writer::new(&ground, &mut sink);
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
    for (name, text) in &sources.files {
        sink.text(name)?;
        sink.text(text)?;
    }
    sink.number(sources.inclusions.len() as u64)?;
    for inclusion in &sources.inclusions {
        sink.byte(match inclusion {
            Inclusion::First => 0,
            Inclusion::Again => 1,
            Inclusion::Library => 2,
        })?;
    }
    Ok(())
}

/// The definitions before an item whose values are not known from the code alone, in order.
fn computed_definitions(program: &Program, item: usize) -> impl Iterator<Item = GlobalId> {
    program.items.iter().take(item).filter_map(|item| match *item {
        Item::Define(global, node) if program.procedure_at(node).is_none() => Some(global),
        Item::Define(..) | Item::Expression(_) => None,
    })
}

/// A file of which the beginning has been read.
#[derive(Debug)]
pub struct CapsuleFile<'file> {
    hash: ProgramHash,
    functions: [[u8; 8]; libm::COUNT],
    sources: KeptSources,
    steps: u64,
    item: usize,
    rest: Source<'file>,
}

/// How many bytes tell whether a file may be one.
pub const HEAD: usize = MAGIC.len();

/// Whether a file that begins so may be one.
pub fn may_be_one(head: &[u8]) -> bool {
    head.starts_with(&MAGIC)
}

/// Begins to read a file.
///
/// # Errors
/// It is no capsule file, is of another version, or damaged.
pub fn open(file: &[u8]) -> Result<CapsuleFile<'_>, Refusal> {
    let mut source = Source::new(file);
    if source.array() != Ok(MAGIC) {
        return Err(Refusal::Foreign);
    }
    let version = source.number()?;
    if version != VERSION {
        return Err(Refusal::OtherVersion(version));
    }
    let mut source = source.without_checksum(file)?;
    let hash = source.array()?;
    let mut functions = [[0; 8]; libm::COUNT];
    for function in &mut functions {
        *function = source.array()?;
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
        let (name, text) = (source.text()?, source.text()?);
        length += text.len() as u64;
        files.push((name.to_owned(), text.to_owned()));
    }
    let mut inclusions = Vec::new();
    for _ in 0..source.number()? {
        inclusions.push(match source.byte()? {
            0 => Inclusion::First,
            1 => Inclusion::Again,
            2 => Inclusion::Library,
            _ => return Err(Refusal::damaged("it does not say how its files include each other")),
        });
    }
    if length > ALLOWED {
        return Err(Refusal::damaged("its program is longer than programs may be"));
    }
    Ok(KeptSources { files, inclusions })
}

impl CapsuleFile<'_> {
    /// The program that was suspended, from its texts.
    ///
    /// # Errors
    /// The texts are no program here, or not the one that was suspended.
    pub fn program(&self) -> Result<Program, Refusal> {
        let program = load(Input::Kept(self.sources.clone()), &Options::default());
        let program = program.map_err(|_| Refusal::OtherMeaning)?;
        if Code::of(&program).hash == self.hash { Ok(program) } else { Err(Refusal::OtherMeaning) }
    }

    /// The names of the mathematical functions that give other bits here than where the file was written.
    pub fn differing_functions(&self) -> Vec<&'static str> {
        libm::differing(&self.functions)
    }

    /// The steps that the run had taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The suspended run, of its own program or of one with the same core.
    ///
    /// # Errors
    /// The program is another one; the file is damaged.
    pub fn suspended(&self, program: &Program) -> Result<Suspended, Refusal> {
        let ground = Ground::at_item(program, self.item);
        if ground.code.hash != self.hash {
            return Err(Refusal::OtherProgram);
        }
        let mut source = self.rest;
        let standing = ground.read(Whose::Item(self.item), &mut source)?;
        let mut values = read::values(&ground, &mut source)?.into_iter();
        let mut globals = known_globals(program, self.item);
        for GlobalId(global) in computed_definitions(program, self.item) {
            let value = values.next().ok_or(Refusal::damaged("a definition has no value"))?;
            if let Some(place) = globals.get_mut(global as usize) {
                *place = Some(value);
            }
        }
        let values: Vec<Value> = values.collect();
        if !source.is_empty() || !ground.are_needed(&standing, &values) {
            return Err(Refusal::damaged("it has not the values that its program needs"));
        }
        Ok(Suspended { item: self.item, globals, standing, values, steps: self.steps })
    }
}

/// The values of definitions that are known from the code, when an item is evaluated.
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
