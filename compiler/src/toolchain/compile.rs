//! One run of the compiler: translates C texts to one checked shared object in a private folder.
//!
//! Several programs go into one object, since starting a compiler costs more than compiling a small program. Each has
//! its own prefix of symbols, for which the generator of the C is responsible. The object has to be checked because the
//! system's loader trusts the headers of a file: the pages of a truncated object fault when they are accessed.

use super::bounds::Bounds;
use super::error::{ToolchainError, reason_of};
use super::process::{self, Finished};
use super::{Optimisation, Toolchain};
use object::{Object, ObjectSection, ObjectSegment};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};
use vlad_files::ending;
use vlad_files::private::PrivateFolder;

/// The default time limit of the compiler, for all but very large programs.
pub const DEFAULT_TIME_LIMIT: Duration = Duration::from_secs(120);

/// The name of the object within the private folder.
const OBJECT: &str = "program.so";

/// The name of the file there that holds all texts, one after the other: the names and macros of one are visible in the
/// next.
const INPUT: &str = "program.c";

/// The C text of one program.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The prefix of the symbols that it defines.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
}

/// A file that the texts include by its name, which is plain: it has no folder, and nothing in it needs quoting.
#[derive(Clone, Copy, Debug)]
pub struct Header<'a> {
    /// The name.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
}

/// A job for the compiler.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The texts to compile into one object.
    pub sources: &'a [Source<'a>],
    /// The headers that the sources include.
    pub headers: &'a [Header<'a>],
    /// The degree of optimisation.
    pub optimisation: Optimisation,
    /// The time limit of the compiler.
    pub time_limit: Duration,
    /// The limit in bytes on the memory of each of its processes, and on the size of each file that it writes.
    pub memory_limit: Option<u64>,
}

/// A shared object in a private folder, which is removed when this value is dropped. (A loaded object stays loaded.)
#[derive(Debug)]
pub struct Built {
    /// Keeps the folder until then.
    _folder: PrivateFolder,
    path: PathBuf,
    bytes: Vec<u8>,
}

impl Built {
    /// The file of the object.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The contents of the object.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the contents of the object, and removes the folder.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

impl Toolchain {
    /// Compiles texts to one shared object, which is checked to be whole but not loaded.
    ///
    /// # Errors
    /// The private folder cannot be made or written; the compiler cannot be started, fails, takes too long, or leaves
    /// no object.
    pub fn compile(&self, job: &Job<'_>) -> Result<Built, ToolchainError> {
        let folder = private_folder()?;
        write_inputs(job, folder.path())
            .map_err(|fault| ToolchainError::Folder { folder: folder.path().to_owned(), reason: fault.to_string() })?;
        let mut arguments: Vec<&OsStr> = self.flags(job.optimisation).into_iter().map(OsStr::new).collect();
        arguments.extend(["-o", OBJECT, INPUT].map(OsStr::new));
        let finished = process::run(
            self.program(),
            &arguments,
            folder.path(),
            Bounds { time: job.time_limit, memory: job.memory_limit },
        )?;
        if !finished.status.success() {
            let ending = finished.ending();
            return Err(ToolchainError::Failed {
                compiler: self.program().to_owned(),
                ending,
                output: finished.output,
            });
        }
        let path = folder.path().join(OBJECT);
        let whole = read_object(&path).and_then(|bytes| {
            check_symbols(&bytes, job.sources)?;
            Ok(bytes)
        });
        match whole {
            Ok(bytes) => Ok(Built { _folder: folder, path, bytes }),
            Err(reason) => {
                let Finished { output, .. } = finished;
                Err(ToolchainError::NoObject { compiler: self.program().to_owned(), reason, output })
            }
        }
    }
}

/// Prepares the exit of a process whose other threads may be waiting for compilers: ends these with all processes that
/// they have started, and removes partial files, their folders among them.
pub fn leave() {
    ending::leave(process::end_children);
}

/// Creates a folder that nobody else may enter, where the system keeps temporary files.
fn private_folder() -> Result<PrivateFolder, ToolchainError> {
    let parent = std::env::temp_dir();
    PrivateFolder::make(&parent).map_err(|fault| ToolchainError::Folder { folder: parent, reason: reason_of(&fault) })
}

/// Writes the headers and the sources.
fn write_inputs(job: &Job<'_>, folder: &Path) -> io::Result<()> {
    for header in job.headers {
        fs::write(folder.join(header.name), header.text)?;
    }
    let texts: Vec<&str> = job.sources.iter().map(|source| source.text).collect();
    fs::write(folder.join(INPUT), texts.join("\n") + "\n")
}

/// Reads an object and checks that all parts to which its headers refer are there.
fn read_object(path: &Path) -> Result<Vec<u8>, String> {
    let metadata = fs::symlink_metadata(path).map_err(|_| "there is no file".to_owned())?;
    if !metadata.is_file() {
        return Err("it is not a file".to_owned());
    }
    let bytes = fs::read(path).map_err(|fault| fault.to_string())?;
    check_object(&bytes)?;
    Ok(bytes)
}

/// Checks that the bytes are a shared object of the system's format, and that it is not truncated.
///
/// # Errors
/// The reason why they are not.
pub fn check_object(bytes: &[u8]) -> Result<(), String> {
    if bytes.is_empty() {
        return Err("the file is empty".to_owned());
    }
    let file = object::File::parse(bytes).map_err(|fault| format!("the file is no object ({fault})"))?;
    let cut = |fault: object::Error| format!("a part of the file is missing ({fault})");
    for segment in file.segments() {
        segment.data().map_err(cut)?;
    }
    for section in file.sections() {
        section.data().map_err(cut)?;
    }
    match file.kind() {
        object::ObjectKind::Dynamic => Ok(()),
        other => Err(format!("the file is no shared object ({other:?})")),
    }
}

/// Checks that an object exports a symbol of each source. An object that does not was not compiled from them, however
/// well it loads: it must be neither stored nor run.
fn check_symbols(bytes: &[u8], sources: &[Source<'_>]) -> Result<(), String> {
    let parsed = object::File::parse(bytes).and_then(|file| file.exports());
    let exports = parsed.map_err(|fault| format!("its symbols cannot be read ({fault})"))?;
    // Some systems put an underscore before the names of C.
    let plain: Vec<&[u8]> =
        exports.iter().map(|export| export.name()).map(|name| name.strip_prefix(b"_").unwrap_or(name)).collect();
    let is_there = |source: &Source<'_>| {
        let prefix = source.name.as_bytes().strip_prefix(b"_").unwrap_or(source.name.as_bytes());
        plain.iter().any(|name| name.starts_with(prefix))
    };
    if sources.iter().all(is_there) { Ok(()) } else { Err("it does not hold what was to be compiled".to_owned()) }
}
