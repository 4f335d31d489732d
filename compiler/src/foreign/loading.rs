//! Boundary to the system's dynamic loader, and to C functions that are called by their name.
//!
//! Invariant: a `Library` stays loaded as long as it lives, and a pointer that it returned is valid as long as the
//! library lives; code that keeps such a pointer keeps the library too. Two libraries of one file are one object in the
//! process: they share its static data, which generated code never writes.
//!
//! Only bytes that were checked are loaded, from a file that nobody else has access to: a file in memory, or on systems
//! without these one in a private folder. A file that could be changed between the check and the loading, or under the
//! running process, is never loaded. The loader identifies a file by its path, and returns an object that it has
//! already loaded from that path; so the file stays open, and its path is its own, as long as the library lives.
#![allow(unsafe_code)] // The system's loader has no safe interface.

use crate::toolchain::{ToolchainError, reason_of};
use libloading::os::unix::{Library as Handle, RTLD_LOCAL, RTLD_NOW};
#[cfg(target_os = "linux")]
use rustix::fs::{MemfdFlags, memfd_create};
use std::ffi::{c_int, c_void};
#[cfg(target_os = "linux")]
use std::fs::File;
use std::io;
#[cfg(target_os = "linux")]
use std::io::Write;
#[cfg(target_os = "linux")]
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::{fmt, fs};
use vlad_files::private::PrivateFolder;

/// A shared object that is loaded into the process.
pub struct Library {
    /// The handle, dropped before the file.
    handle: Handle,
    _file: Loaded,
    origin: PathBuf,
}

/// The file that an object is loaded from.
enum Loaded {
    /// In memory.
    #[cfg(target_os = "linux")]
    Memory { _file: File },
    /// In a private folder.
    Folder { _folder: PrivateFolder },
}

impl fmt::Debug for Library {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Library").field("origin", &self.origin).finish_non_exhaustive()
    }
}

impl Library {
    /// Loads a shared object and resolves all its symbols at once; `origin` is the file that it was read from.
    ///
    /// Only objects that this crate has just had compiled, or whose contents have just been found unchanged since then,
    /// may be loaded.
    ///
    /// # Errors
    /// The loader refuses the object, or no file can be made to load it from.
    pub(crate) fn of_bytes(bytes: &[u8], origin: &Path) -> Result<Library, ToolchainError> {
        #[cfg(target_os = "linux")]
        if let Some(library) = Library::of_memory(bytes, origin) {
            return Ok(library);
        }
        let refused = |reason: String| ToolchainError::NotLoadable { object: origin.to_owned(), reason };
        let cannot_write = |fault: io::Error| refused(reason_of(&fault));
        let folder = PrivateFolder::make(&std::env::temp_dir()).map_err(cannot_write)?;
        let path = folder.path().join("program.so");
        fs::write(&path, bytes).map_err(cannot_write)?;
        let handle = open(&path).map_err(|fault| refused(reason(&fault)))?;
        Ok(Library { handle, _file: Loaded::Folder { _folder: folder }, origin: origin.to_owned() })
    }

    /// Loads a shared object from a file in memory; none if the system has no such files, or the loader refuses it.
    #[cfg(target_os = "linux")]
    fn of_memory(bytes: &[u8], origin: &Path) -> Option<Library> {
        let mut file = File::from(memfd_create("vlad", MemfdFlags::CLOEXEC).ok()?);
        file.write_all(bytes).ok()?;
        let handle = open(Path::new(&format!("/proc/self/fd/{}", file.as_raw_fd()))).ok()?;
        Some(Library { handle, _file: Loaded::Memory { _file: file }, origin: origin.to_owned() })
    }

    /// The address of a symbol of the object; none if the object exports no such symbol. The pointer is valid as long
    /// as the library lives.
    #[must_use]
    pub fn symbol(&self, name: &str) -> Option<*const c_void> {
        symbol(&self.handle, name)
    }

    /// Calls a function without arguments that returns an `int`, as the probe of the doctor does.
    pub(crate) fn number(&self, name: &str) -> Option<c_int> {
        let place = self.symbol(name)?;
        // SAFETY: the caller is the probe, whose C text defines the name as just such a function; the library, and the
        // function with it, lives through the call.
        let function = unsafe { std::mem::transmute::<*const c_void, unsafe extern "C" fn() -> c_int>(place) };
        // SAFETY: as above.
        Some(unsafe { function() })
    }
}

/// Opens a file with the loader. The caller guarantees that its object may be loaded.
fn open(path: &Path) -> Result<Handle, libloading::Error> {
    // SAFETY: loading runs the initialisers of the object. The compiler that the user chose made it, from C that this
    // crate wrote, which has none of its own; it was checked to be whole, and nobody else can write the file. There is
    // no other way to run compiled code in the process, which is the purpose of the engine.
    unsafe { Handle::open(Some(path), RTLD_NOW | RTLD_LOCAL) }
}

fn symbol(handle: &Handle, name: &str) -> Option<*const c_void> {
    // SAFETY: the symbol is read as an untyped address, which is right whatever it denotes.
    let found = unsafe { handle.get::<*const c_void>(name.as_bytes()) };
    found.ok().map(|symbol| *symbol).filter(|place| !place.is_null())
}

/// The message of the loader: its innermost cause alone, if it has one.
fn reason(fault: &libloading::Error) -> String {
    let mut reason = fault.to_string();
    let mut source = std::error::Error::source(fault);
    while let Some(deeper) = source {
        reason = deeper.to_string();
        source = deeper.source();
    }
    reason
}
