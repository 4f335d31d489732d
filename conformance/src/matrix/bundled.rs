//! The corpus as it was when the command was built, which is a part of it: it needs no folder.
//!
//! The archive, which `build.rs` writes, is a sequence of files, each as the length of its path, the path, the length of its
//! text and the text; lengths have four bytes, the lowest first.

use std::path::{Component, Path};
use std::{fs, io};
use vlad_shared::table::internal_bug;

/// The archive.
static ARCHIVE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/corpus.bin"));

/// The name of the folder of the corpus.
pub const FOLDER: &str = "corpus";

/// The files of the corpus: the path of each below its folder, and its text, in the order of paths.
pub fn files() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    let mut rest = ARCHIVE;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let path = std::str::from_utf8(piece(&mut rest)).unwrap_or_default();
        Some((path, piece(&mut rest)))
    })
}

/// Takes a piece with its length from the archive.
fn piece(rest: &mut &'static [u8]) -> &'static [u8] {
    let taken = rest.split_at_checked(4).and_then(|(length, behind)| {
        let length = u32::from_le_bytes(length.try_into().ok()?);
        behind.split_at_checked(length as usize)
    });
    let Some((piece, behind)) = taken else { internal_bug!("the archive of the corpus is whole") };
    *rest = behind;
    piece
}

/// Writes the corpus to a new folder of its name in a folder.
///
/// # Errors
/// A file cannot be written.
pub fn unpack(folder: &Path) -> io::Result<()> {
    for (path, text) in files() {
        let own = Path::new(path);
        let is_below = own.components().all(|component| matches!(component, Component::Normal(_)));
        if !is_below {
            internal_bug!("the files of the corpus are below its folder");
        }
        let file = folder.join(FOLDER).join(own);
        if let Some(parent) = file.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(file, text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::find::find;
    use std::path::PathBuf;
    use vlad_files::private::PrivateFolder;
    use vlad_shared::frontend::languages::Languages;

    /// The unpacked files are those of the corpus of the project.
    #[test]
    fn the_archive_is_the_corpus() {
        let folder = PrivateFolder::make(&std::env::temp_dir()).unwrap();
        unpack(folder.path()).unwrap();
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER);
        let below = |root: PathBuf| -> Vec<PathBuf> {
            let found = find(std::slice::from_ref(&root), &[], Languages::default()).unwrap();
            found.iter().map(|path| path.strip_prefix(&root).unwrap().to_path_buf()).collect()
        };
        let own = below(folder.path().join(FOLDER));
        assert!(own.len() > 1000);
        assert_eq!(own, below(corpus.clone()));
        for (path, text) in files() {
            assert_eq!(fs::read(corpus.join(path)).unwrap(), text, "{path}");
        }
    }
}
