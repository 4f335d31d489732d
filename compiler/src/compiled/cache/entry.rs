//! Entries of the cache: an object, followed by a seal of fixed length that states its key, its length and its hash.
//!
//! Object and seal are one file, which is put in place as a whole. Nothing is flushed to the disk: a file that a crash
//! left incomplete does not match its seal.

use super::{folder, key, mark};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use vlad_files::draft::{Access, Draft, PREFIX};

/// The suffix of the name of an entry, after its key.
pub(super) const ENDING: &str = ".object";

/// The maximal number of bytes of an entry that are read.
const MOST_ENTRY: u64 = 1 << 30;

/// About the size of a small object, in bytes.
const SMALL: usize = 1 << 14;

/// The result of a lookup by key.
pub(super) enum Lookup {
    /// No entry.
    Missing,
    /// The bytes of the object that was stored under the key.
    Sound(Vec<u8>),
    /// A file with other contents, with the reason.
    Damaged(String),
}

/// The path of the file of an entry.
pub(super) fn path(folder: &Path, key: &str) -> PathBuf {
    folder.join(format!("{key}{ENDING}"))
}

/// Returns the seal of an object under a key. All seals have the same length.
#[must_use]
pub fn seal(key: &str, bytes: &[u8]) -> String {
    let (length, contents) = (bytes.len(), key::of_contents(bytes));
    format!("\nvlad object\nkey {key}\nlength {length:020}\ncontents {contents}\n")
}

/// Writes a file of the size of a small object and removes it again.
pub(super) fn try_storing(folder: &Path) -> io::Result<()> {
    Draft::begin(&folder.join(ENDING), Access::Private)?.file().write_all(&[0; SMALL])
}

/// Stores an object in the folder, readable by its user alone, as a whole or not at all.
pub(super) fn store(folder: &Path, key: &str, bytes: &[u8]) -> io::Result<PathBuf> {
    let path = path(folder, key);
    let draft = Draft::begin(&path, Access::Private)?;
    draft.file().write_all(bytes)?;
    draft.file().write_all(seal(key, bytes).as_bytes())?;
    draft.place()?;
    Ok(path)
}

/// Reads an entry if it exists and its contents match its seal, and records the time of this use.
pub(super) fn read(path: &Path, key: &str) -> Lookup {
    let file = match folder::open(path) {
        Ok(file) => file,
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => return Lookup::Missing,
        Err(fault) => return Lookup::Damaged(fault.to_string()),
    };
    match examine(&file, key) {
        Ok(object) => {
            // Eviction removes the least recently used entries; if the time cannot be set the entry is only evicted
            // earlier.
            let _ = file.set_modified(SystemTime::now());
            Lookup::Sound(object)
        }
        Err(reason) => Lookup::Damaged(reason),
    }
}

/// Returns the object in a file, or the reason why it is refused.
fn examine(file: &File, key: &str) -> Result<Vec<u8>, String> {
    let mut bytes = folder::contents(file, MOST_ENTRY)?;
    let length = unseal(key, &bytes)?.len();
    bytes.truncate(length);
    Ok(bytes)
}

/// Returns the object in the bytes of an entry, if they match their seal and the key.
///
/// # Errors
/// The reason why they do not match.
pub fn unseal<'bytes>(key: &str, bytes: &'bytes [u8]) -> Result<&'bytes [u8], String> {
    let length = bytes.len().checked_sub(seal(key, &[]).len());
    let Some((object, found)) = length.and_then(|length| bytes.split_at_checked(length)) else {
        return Err("it is too short".to_owned());
    };
    if found == seal(key, object).as_bytes() { Ok(object) } else { Err("it is not what was stored".to_owned()) }
}

/// Returns the kind of a file by its name; none if the cache gives no such name.
fn kind(name: &str) -> Option<FileKind> {
    for (ending, kind) in [(ENDING, FileKind::Entry), (mark::ENDING, FileKind::Mark)] {
        if let Some(key) = name.strip_suffix(ending) {
            return key::is_key(key).then_some(kind);
        }
    }
    let (process, number) = name.strip_prefix(PREFIX)?.split_once('-')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (is_number(process) && is_number(number)).then_some(FileKind::Partial)
}

/// The kinds of files in the folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileKind {
    /// An entry.
    Entry,
    /// A marker of a program (see `mark`).
    Mark,
    /// A partial file that is to become an entry, or whose writer was ended before it did.
    Partial,
}

/// A file of the cache.
pub(super) struct CacheFile {
    pub path: PathBuf,
    pub kind: FileKind,
    pub bytes: u64,
    pub modified: SystemTime,
}

/// Lists the cache's own files in a folder, in no order. Anything but a plain file is left out, whatever its name.
pub(super) fn list(folder: &Path) -> io::Result<Vec<CacheFile>> {
    let mut found = Vec::new();
    for file in fs::read_dir(folder)? {
        let file = file?;
        let Some(kind) = file.file_name().to_str().and_then(kind) else { continue };
        // Another process may have removed it meanwhile. This does not follow links.
        let Ok(metadata) = file.metadata() else { continue };
        if metadata.is_file() {
            let modified = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            found.push(CacheFile { path: file.path(), kind, bytes: metadata.len(), modified });
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_is_ours() {
        let key = "0123456789abcdef".repeat(4);
        assert_eq!(kind(&format!("{key}.object")), Some(FileKind::Entry));
        assert_eq!(kind(&format!("{key}.mark")), Some(FileKind::Mark));
        assert_eq!(kind(".vlad-123-0"), Some(FileKind::Partial));
        for other in [
            "",
            ".object",
            ".vlad-12",
            ".vlad--1",
            ".vlad-a-1",
            ".vlad-1-",
            "core",
            &key,
            &format!("{}.object", key.to_uppercase()),
        ] {
            assert_eq!(kind(other), None, "{other}");
        }
    }

    #[test]
    fn seals_have_one_length() {
        let key = "f".repeat(64);
        assert_eq!(seal(&key, &[]).len(), seal(&key, &[7; 100_000]).len());
    }
}
