//! The mathematical functions of emitted code: those of VLAD, in an archive that goes with the code, or those of the system.
//!
//! The archive is the one that the engines are linked with (`shared/table/build.rs`); it needs no other library. Architectures without it
//! have only the functions of the system.

use super::files::{Contents, File};

/// The licence of the functions in the archive, which goes with it.
const LICENCE: &str = include_str!(env!("VLAD_MATHEMATICS_LICENCE"));

/// The origin of mathematical functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mathematics {
    /// VLAD: the results are those of the engines.
    Vlad,
    /// The C library, or the library of the Fortran compiler.
    System,
}

/// The library of mathematical functions that a program with emitted code is linked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    /// None: the code calls no mathematical function.
    Nothing,
    /// The archive beside the code.
    Archive,
    /// The library of the system.
    System,
}

impl Library {
    /// The library for code that calls mathematical functions or does not.
    pub fn of(mathematics: Mathematics, calls: bool) -> Library {
        match mathematics {
            Mathematics::Vlad | Mathematics::System if !calls => Library::Nothing,
            Mathematics::Vlad => Library::Archive,
            Mathematics::System => Library::System,
        }
    }

    /// The archive that goes with code of a name, if it is the library, and the licence of the archive.
    pub fn files(self, name: &str) -> Vec<File> {
        match self {
            Library::Archive => {
                let archive = File { path: archive_name(name), contents: Contents::Archive };
                vec![archive, File::text(licence_name(name), LICENCE.to_owned())]
            }
            Library::Nothing | Library::System => Vec::new(),
        }
    }

    /// The operand of the linker in the folder of code of a name.
    pub fn operand(self, name: &str) -> Option<String> {
        match self {
            Library::Nothing => None,
            Library::Archive => Some(archive_name(name)),
            Library::System => Some("-lm".to_owned()),
        }
    }

    /// The library in words, for people who compile code of a name.
    pub fn text(self, name: &str) -> String {
        match self {
            Library::Nothing => "No mathematical function is called, so no library is needed.".to_owned(),
            Library::Archive => {
                let archive = archive_name(name);
                format!(
                    "The mathematical functions are those of VLAD: link with {archive}, which needs no other library."
                )
            }
            Library::System => "The mathematical functions are those of the C library: link with -lm.".to_owned(),
        }
    }
}

/// The name of the licence that goes with the archive of code of a name.
pub(crate) fn licence_name(name: &str) -> String {
    format!("lib{name}_math.LICENSE")
}

/// The name of the archive that goes with code of a name.
fn archive_name(name: &str) -> String {
    format!("lib{name}_math.a")
}
