//! The mathematical functions of emitted code: those of VLAD, in an archive beside the code, or those of the system.
//!
//! The engines are linked with the same archive (`shared/table/build.rs`). It needs no other library. On architectures
//! without the archive only the functions of the system are available.

use super::files::{Contents, File};

/// The licence of the functions in the archive. It is written beside the archive.
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
    /// The library for code, given its origin and if the code calls mathematical functions.
    pub fn of(mathematics: Mathematics, calls: bool) -> Library {
        match mathematics {
            Mathematics::Vlad | Mathematics::System if !calls => Library::Nothing,
            Mathematics::Vlad => Library::Archive,
            Mathematics::System => Library::System,
        }
    }

    /// The archive for code of a name and its licence, if the archive is the library.
    pub fn files(self, name: &str) -> Vec<File> {
        match self {
            Library::Archive => {
                let archive = File { path: archive_name(name), contents: Contents::Archive };
                vec![archive, File::text(licence_name(name), LICENCE.to_owned())]
            }
            Library::Nothing | Library::System => Vec::new(),
        }
    }

    /// The operand of the linker, in the folder of the code.
    pub fn operand(self, name: &str) -> Option<String> {
        match self {
            Library::Nothing => None,
            Library::Archive => Some(archive_name(name)),
            Library::System => Some("-lm".to_owned()),
        }
    }

    /// The library in words, for comments in code of a name.
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

/// The name of the licence of the archive for code of a name.
pub(crate) fn licence_name(name: &str) -> String {
    format!("lib{name}_math.LICENSE")
}

/// The name of the archive for code of a name.
fn archive_name(name: &str) -> String {
    format!("lib{name}_math.a")
}
