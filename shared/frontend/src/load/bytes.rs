//! Bytes to texts, and the names of folders.

use std::io;
use std::path::{Path, PathBuf};

/// Decodes bytes as text; returns also the offsets in it of the characters that replace invalid UTF-8.
pub(super) fn decode(bytes: Vec<u8>) -> (String, Vec<u32>) {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return (text, vec![]),
        Err(error) => error.into_bytes(),
    };
    let mut text = String::with_capacity(bytes.len());
    let mut damages = vec![];
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            damages.push(text.len() as u32);
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    (text, damages)
}

pub(super) fn too_long() -> io::Error {
    io::Error::other("a program may not have more than 64 MB of text")
}

pub(super) fn unreadable(name: &str, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => format!("there is no file `{name}`"),
        io::ErrorKind::Other => format!("`{name}` cannot be read: {error}"),
        kind => format!("`{name}` cannot be read: {kind}"),
    }
}

/// Returns the canonical path of a folder; the empty path denotes the working directory.
pub(super) fn canonical_folder(folder: &Path) -> Option<PathBuf> {
    if folder.as_os_str().is_empty() { Path::new(".").canonicalize().ok() } else { folder.canonicalize().ok() }
}

pub(super) fn show_folder(folder: &Path) -> String {
    if folder.as_os_str().is_empty() { ".".to_string() } else { folder.display().to_string() }
}
