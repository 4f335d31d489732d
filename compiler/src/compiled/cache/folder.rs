//! Location of the cache folder, and the check that it can be trusted.
//!
//! Anyone who can write in the folder can run code as the user, so a folder that belongs to another user, or that
//! others may write, is not used.

use super::note::CacheNote;
use rustix::fs::OFlags;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::Read;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::{env, io};

/// The environment variable that names the folder.
const VARIABLE: &str = "VLAD_CACHE";

fn variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// Returns true if the user has named a folder for this cache in particular.
#[must_use]
pub fn is_named() -> bool {
    variable(VARIABLE).is_some()
}

/// Returns the user's cache folder: `VLAD_CACHE`, or `vlad` in `XDG_CACHE_HOME`, or `.cache/vlad` at home. It need not
/// exist.
#[must_use]
pub fn folder() -> Option<PathBuf> {
    if let Some(folder) = variable(VARIABLE) {
        return std::path::absolute(folder).ok();
    }
    // A relative path is no base folder: the specification of these variables says to ignore it.
    let base = |name| variable(name).filter(|path| path.is_absolute());
    base("XDG_CACHE_HOME").or_else(|| Some(base("HOME")?.join(".cache"))).map(|base| base.join("vlad"))
}

/// Creates the folder if it is missing, and checks that it belongs to the user alone. Returns its absolute path.
pub(super) fn prepare(folder: &Path) -> Result<PathBuf, CacheNote> {
    let unusable = |fault: io::Error| CacheNote::Unusable { folder: folder.to_owned(), reason: fault.to_string() };
    let absolute = std::path::absolute(folder).map_err(unusable)?;
    DirBuilder::new().recursive(true).mode(0o700).create(&absolute).map_err(unusable)?;
    let metadata = fs::metadata(&absolute).map_err(unusable)?;
    let unsafe_because = |reason: &str| CacheNote::Unsafe { folder: folder.to_owned(), reason: reason.to_owned() };
    if metadata.uid() != rustix::process::geteuid().as_raw() {
        return Err(unsafe_because("it belongs to somebody else"));
    }
    if metadata.mode() & 0o022 != 0 {
        return Err(unsafe_because("others may write in it"));
    }
    Ok(absolute)
}

/// Opens a file of the cache.
pub(super) fn open(path: &Path) -> io::Result<File> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits();
    OpenOptions::new().read(true).custom_flags(flags.cast_signed()).open(path)
}

/// Returns the bytes of a file of the cache, so many at most, or the reason why it is refused.
pub(super) fn contents(file: &File, most: u64) -> Result<Vec<u8>, String> {
    let metadata = file.metadata().map_err(|fault| fault.to_string())?;
    if !metadata.is_file() {
        return Err("it is not a file".to_owned());
    }
    if metadata.uid() != rustix::process::geteuid().as_raw() || metadata.mode() & 0o022 != 0 {
        return Err("somebody else owns it or may write it".to_owned());
    }
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes).map_err(|fault| fault.to_string())?;
    Ok(bytes)
}
