//! The boundary to the system's loader, and to C functions that are called by their name.
//!
//! Invariant: a `Library` stays loaded as long as it lives, so a pointer that it gave is good as long as the library is;
//! whoever keeps such a pointer keeps the library too. Two libraries of one file are one object in the process: they share
//! its static data, which generated code never writes.
//!
//! The loader knows a file again by its path and by its number, and then gives what it has loaded already. So a file that
//! was loaded is never written in place: it is replaced by renaming, or not at all.
#![allow(unsafe_code)] // The system's loader has no safe interface.

use crate::toolchain::ToolchainError;
use libloading::os::unix::{Library as Handle, RTLD_LOCAL, RTLD_NOW};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::fmt;
use std::path::{Path, PathBuf};

/// A shared object that is loaded into the process.
pub struct Library {
    handle: Handle,
    path: PathBuf,
}

impl fmt::Debug for Library {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Library").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Library {
    /// Loads a shared object, with all that it needs at once, by an absolute path.
    ///
    /// Only objects that this crate has just had compiled, or whose contents have just been found unchanged since then,
    /// may be loaded.
    ///
    /// # Errors
    /// The loader refuses the file.
    pub(crate) fn open(path: &Path) -> Result<Library, ToolchainError> {
        // SAFETY: loading runs the initialisers of the object. It is the outcome of the compiler that the user chose, for C
        // that this crate wrote, which has none of its own; it was checked to be whole, and it stands in a folder that
        // nobody else may write. There is no other way to run compiled code in the process, which is the engine's point.
        let opened = unsafe { Handle::open(Some(path), RTLD_NOW | RTLD_LOCAL) };
        match opened {
            Ok(handle) => Ok(Library { handle, path: path.to_owned() }),
            Err(fault) => Err(ToolchainError::NotLoadable { object: path.to_owned(), reason: reason(&fault) }),
        }
    }

    /// The file that was loaded; it may be gone by now.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where a symbol of the object stands; none if the object exports no such symbol. The pointer is good as long as
    /// the library lives.
    #[must_use]
    pub fn symbol(&self, name: &str) -> Option<*const c_void> {
        symbol(&self.handle, name)
    }

    /// Calls a function without arguments that gives an `int`, as the probe of the doctor does.
    pub(crate) fn number(&self, name: &str) -> Option<c_int> {
        let place = self.symbol(name)?;
        // SAFETY: the caller is the probe, whose C text defines the name as just such a function; the library, and the
        // function with it, lives through the call.
        let function = unsafe { std::mem::transmute::<*const c_void, unsafe extern "C" fn() -> c_int>(place) };
        // SAFETY: as above.
        Some(unsafe { function() })
    }
}

fn symbol(handle: &Handle, name: &str) -> Option<*const c_void> {
    // SAFETY: the symbol is read as an untyped address, which is right for whatever it names.
    let found = unsafe { handle.get::<*const c_void>(name.as_bytes()) };
    found.ok().map(|symbol| *symbol).filter(|place| !place.is_null())
}

/// What the loader says: the reason alone, where there is one.
fn reason(fault: &libloading::Error) -> String {
    let mut reason = fault.to_string();
    let mut source = std::error::Error::source(fault);
    while let Some(deeper) = source {
        reason = deeper.to_string();
        source = deeper.source();
    }
    reason
}

/// The version of the C library that this process runs on, which also decides the last bits of its mathematics; none if
/// the library does not tell it.
#[must_use]
pub fn c_library_version() -> Option<String> {
    let process = Handle::this();
    let place = symbol(&process, "gnu_get_libc_version")?;
    // SAFETY: the GNU C library documents this function under this name, without arguments, giving a constant string that
    // lives as long as the process; no other library defines the name.
    let function = unsafe { std::mem::transmute::<*const c_void, unsafe extern "C" fn() -> *const c_char>(place) };
    // SAFETY: as above.
    let text = unsafe { CStr::from_ptr(function()) };
    Some(format!("glibc {}", text.to_string_lossy()))
}
