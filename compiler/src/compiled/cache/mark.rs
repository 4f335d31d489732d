//! Markers: files in the folder, named by a hash of a program, which name the object of the program.
//!
//! The key of an object is a hash of its C text and of the compiler's identity. To compute it takes as long as generating that text. A
//! marker needs only the program: its core, which options of languages and commands change, and its texts, whose lines are named in C; its contents are a hash of what makes objects of them - this very program, and the compiler -
//! and the key. So a program that was compiled before is neither analysed nor generated again.
//!
//! Data have a part in the name by their shapes alone, unless the code depends on their elements.

use super::folder;
use super::key::{self, HashedParts, Makers, VERSION};
use crate::analysis::shape_of_data;
use crate::compiled::task::Task;
use crate::foreign::Counting;
use crate::specialised::Specialise;
use std::fs::{self, File};
use std::hash::{Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use vlad_ad::traps::Traps;
use vlad_core::source::{FileId, Inclusion};
use vlad_core::{Constant, ConstantId, Expression, Item, Pattern, Program};
use vlad_files::draft::{Access, Draft};
use vlad_first_order::passes::Passes;

/// The suffix of the name of a marker, after its hash.
pub(super) const ENDING: &str = ".mark";

/// The greatest length of the contents, two hashes in a line.
const LENGTH: u64 = 2 * 64 + 2;

/// The marker of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark(String);

/// The part of data in the name of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataInMark {
    /// Their shapes.
    Shapes,
    /// Their texts.
    Texts,
}

impl Mark {
    /// Computes the marker of a program that is specialised in some way, by some passes.
    #[must_use]
    pub fn of(task: Task<'_>, (specialise, passes): (Specialise, Passes), data: DataInMark) -> Mark {
        let Task { program, counting, tagged_from, traps } = task;
        let mut hash = HashedParts::default();
        hash.part("version", VERSION.as_bytes());
        hash.part(
            "counting",
            match counting {
                Counting::Stoppable => b"stoppable",
                Counting::ByBlock => b"by block",
            },
        );
        hash.part(
            "traps",
            match traps {
                Traps::Off => b"off".as_slice(),
                Traps::NonFinite => b"nonfinite",
            },
        );
        hash.part(
            "specialise",
            match specialise {
                Specialise::Never => b"never",
                Specialise::Auto => b"auto",
                Specialise::Always => b"always",
            },
        );
        if let Some(item) = tagged_from {
            hash.part("tagged from", &item.to_le_bytes());
        }
        hash.part("passes", passes.to_string().as_bytes());
        // The files include the prelude, which is the same for each version.
        for (file, number) in program.sources.files().iter().zip(0..) {
            hash.part("language", file.language.as_bytes());
            let shapes = match data {
                DataInMark::Shapes => shapes_of_data(program, FileId(number)),
                DataInMark::Texts => None,
            };
            match shapes {
                Some(shapes) => {
                    hash.part("data", file.name.as_bytes());
                    hash.part("shapes", shapes.as_bytes());
                }
                None => hash.part("text", file.text.as_bytes()),
            }
        }
        hash.value("core", Core(program));
        for inclusion in program.sources.inclusions() {
            hash.part(
                "inclusion",
                match inclusion {
                    Inclusion::First => b"first",
                    Inclusion::Library => b"library",
                    Inclusion::Again => b"again",
                    Inclusion::Data => b"data",
                },
            );
        }
        Mark(hash.hexadecimal())
    }

    fn path(&self, folder: &Path) -> PathBuf {
        folder.join(format!("{}{ENDING}", self.0))
    }

    /// Returns true if the marker is in a folder.
    pub(super) fn is_in(&self, folder: &Path) -> bool {
        fs::symlink_metadata(self.path(folder)).is_ok_and(|metadata| metadata.is_file())
    }

    /// Removes the marker from a folder. A marker that cannot be removed only costs time.
    pub(super) fn remove_from(&self, folder: &Path) {
        let _ = fs::remove_file(self.path(folder));
    }

    /// Returns the key of the object that some makers made.
    pub(super) fn key(&self, folder: &Path, makers: &Makers) -> Option<String> {
        let contents = folder::contents(&folder::open(&self.path(folder)).ok()?, LENGTH).ok()?;
        let (found, key) = std::str::from_utf8(&contents).ok()?.trim_end().split_once(' ')?;
        (found == makers.0 && key::is_key(key)).then(|| key.to_owned())
    }

    /// Creates the marker in a folder, or records the time of its use. Without a marker the object is found later.
    pub(super) fn leave_in(&self, folder: &Path, makers: &Makers, key: &str) {
        let path = self.path(folder);
        // Eviction removes the least recently used files; if the time cannot be set the file is only evicted earlier.
        let _ = match self.key(folder, makers) {
            Some(found) if found == key => {
                folder::open(&path).and_then(|file: File| file.set_modified(SystemTime::now()))
            }
            _ => store(&path, &format!("{} {key}\n", makers.0)),
        };
    }
}

fn store(path: &Path, contents: &str) -> io::Result<()> {
    let draft = Draft::begin(path, Access::Private)?;
    draft.file().write_all(contents.as_bytes())?;
    draft.place()
}

/// The core of a program, to be hashed. Constants are their structures, since the number of one depends on how many parts others have;
/// nothing is said of those that files of data define.
struct Core<'program>(&'program Program);

impl Hash for Core<'_> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let Program { expressions, lambdas, groups, patterns, globals, prelude, items, .. } = self.0;
        (lambdas, groups, prelude, items).hash(hasher);
        (self.0.prelude_nodes, self.0.shipped_nodes, self.0.machine_nodes).hash(hasher);
        globals.iter().for_each(|global| global.name.hash(hasher));
        let is_of_file = |item: &&Item| self.0.sources.is_data(self.0.span(item.node()).file);
        let data: Vec<u32> = items.iter().filter(is_of_file).map(|item| item.node().0).collect();
        for (expression, node) in expressions.iter().zip(0..) {
            match expression {
                Expression::Constant(_) if data.contains(&node) => {}
                Expression::Constant(constant) => self.constant(*constant, hasher),
                _ => expression.hash(hasher),
            }
        }
        for pattern in patterns {
            match pattern {
                Pattern::Constant(constant) => self.constant(*constant, hasher),
                Pattern::Variable | Pattern::Pair(..) => pattern.hash(hasher),
            }
        }
    }
}

impl Core<'_> {
    fn constant(&self, constant: ConstantId, hasher: &mut impl Hasher) {
        let mut pending = vec![constant];
        while let Some(next) = pending.pop() {
            pending.extend(self.0.constants.parts(next));
            match self.0.constant(next) {
                Constant::Nil => "nil".hash(hasher),
                Constant::Boolean(truth) => ("boolean", truth).hash(hasher),
                Constant::Real(real) => ("real", real.to_bits()).hash(hasher),
                Constant::Pair(..) => "pair".hash(hasher),
                Constant::Vector(elements) => ("vector", elements.len()).hash(hasher),
            }
        }
    }
}

/// Returns the shapes of the definitions of a file of data, and their values where these are in the code: numbers and booleans. None if
/// it is no such file, or something in it has no shape.
fn shapes_of_data(program: &Program, file: FileId) -> Option<String> {
    let of_item = |item: &Item| {
        let shape = shape_of_data(program, *item)?;
        let Expression::Constant(constant) = program.expression(item.node()) else { return None };
        Some(match program.constant(constant) {
            Constant::Real(real) => format!("{shape} {:x};", real.to_bits()),
            Constant::Boolean(truth) => format!("{shape} {truth};"),
            Constant::Nil | Constant::Pair(..) | Constant::Vector(_) => format!("{shape};"),
        })
    };
    let items = program.items.iter().filter(|item| program.span(item.node()).file == file);
    program.sources.is_data(file).then(|| items.map(of_item).collect()).flatten()
}
