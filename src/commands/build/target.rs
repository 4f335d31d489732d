//! The file of an executable that is built.
//!
//! Invariant: at any time it is complete: the old one or the new one. Nothing but an executable is replaced, and neither
//! the running one nor a text of the program.

use super::executable::with_payload;
use super::payload::Payload;
use crate::process::own_executable;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use vlad_files::draft::{Access, Draft};
use vlad_files::elf;
use vlad_files::output::destination;
use vlad_shared::core::diagnostic::{Diagnostic, Failure, Kind};
use vlad_shared::core::source::SourceMap;

/// The number of bytes by which an executable is recognised: the first of them tell its format, and the headers behind them
/// whether it is a program.
const HEAD: u64 = 4096;
/// The bytes that tell the format.
const FORMAT: usize = 4;

/// The file to be written.
pub struct Target {
    /// The path as the user gives it.
    shown: PathBuf,
    /// The path of the file that it leads to. A symbolic link stays, and that file is replaced.
    path: PathBuf,
}

impl Target {
    /// The target of a path.
    pub fn new(path: &Path) -> Target {
        Target { shown: path.to_owned(), path: destination(path) }
    }

    /// Checks that the file can be written, before anything is compiled.
    pub fn check(&self) -> Result<(), Failure> {
        self.begin().map(drop).map_err(|error| self.unwritten(&error))
    }

    /// Checks that the file is no text of the program.
    pub fn check_apart_from(&self, sources: &SourceMap) -> Result<(), Failure> {
        // The names of texts that come from no file are in angle brackets.
        let of_files = sources.files().iter().filter(|file| !(file.name.starts_with('<') && file.name.ends_with('>')));
        match of_files.into_iter().any(|file| is_same(&self.path, Path::new(&file.name))) {
            true => Err(self.unwritten(&io::Error::other("it is a text of the program"))),
            false => Ok(()),
        }
    }

    /// Writes the executable of a payload.
    pub fn write(&self, payload: &Payload) -> Result<(), Failure> {
        let write = || {
            let draft = self.begin()?;
            draft.file().write_all(&with_payload(&payload.bytes()?)?)?;
            draft.place()
        };
        write().map_err(|error| self.unwritten(&error))
    }

    fn begin(&self) -> io::Result<Draft> {
        if cfg!(target_os = "macos") {
            return Err(io::Error::other("executables of this system are signed, and cannot be made from others"));
        }
        let target = &self.path;
        if target.is_dir() {
            return Err(io::Error::other("it is a folder"));
        }
        if target.file_name().is_none() || target.as_os_str().as_encoded_bytes().ends_with(b"/") {
            return Err(io::Error::other("that is not the name of a file"));
        }
        if target.exists() {
            let own = own_executable::path()?;
            if !target.is_file() {
                return Err(io::Error::other("it is not an ordinary file"));
            }
            if is_same(target, &own) {
                return Err(io::Error::other("it is the command that is running"));
            }
            if !may_be_replaced(&head(target)?, &head(&own)?) {
                return Err(io::Error::other("the file there is not a program"));
            }
        }
        Draft::begin(target, Access::Executable)
    }

    fn unwritten(&self, error: &io::Error) -> Failure {
        let message = format!("`{}` cannot be written: {error}", self.shown.display());
        Failure { diagnostics: vec![Diagnostic::new(Kind::Output, None, message)], sources: SourceMap::default() }
    }
}

/// Returns true for the head of an empty file, or of a program in the format of the command.
fn may_be_replaced(found: &[u8], own: &[u8]) -> bool {
    let is_program = !elf::is_program(own) || elf::is_program(found);
    found.is_empty() || found.get(..FORMAT) == own.get(..FORMAT) && is_program
}

/// The first bytes of a file.
fn head(path: &Path) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    File::open(path)?.take(HEAD).read_to_end(&mut head)?;
    Ok(head)
}

/// Returns true if two paths lead to one file.
fn is_same(one: &Path, other: &Path) -> bool {
    match (fs::metadata(one), fs::metadata(other)) {
        (Ok(one), Ok(other)) => (one.dev(), one.ino()) == (other.dev(), other.ino()),
        (Ok(_) | Err(_), _) => false,
    }
}
