//! The corpus as it was when the command was built, which is a part of it: it needs no folder. The examples that its programs include
//! go with it.
//!
//! The archive, which `build.rs` writes, is a sequence of files, each as the length of its path, the path, the length of its
//! text and the text; lengths have four bytes, the lowest first.

use std::path::{Component, Path};
use std::{fs, io};
use vlad_shared::table::internal_bug;

/// The archive.
static ARCHIVE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/corpus.bin"));

/// The folder of the corpus below the one to which [`unpack`] writes.
pub const FOLDER: &str = "conformance/corpus";

/// The packed files: the path of each below the project's folder, and its text.
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

/// Writes the files to a folder, each to its path.
///
/// # Errors
/// A file cannot be written.
pub fn unpack(folder: &Path) -> io::Result<()> {
    for (path, text) in files() {
        let own = Path::new(path);
        let is_below = own.components().all(|component| matches!(component, Component::Normal(_)));
        if !is_below {
            internal_bug!("the packed files are below one folder");
        }
        let file = folder.join(own);
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
        let project = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let below = |root: PathBuf| -> Vec<PathBuf> {
            let found = find(std::slice::from_ref(&root), &[], Languages::default()).unwrap();
            found.iter().map(|path| path.strip_prefix(&root).unwrap().to_path_buf()).collect()
        };
        let own = below(folder.path().join(FOLDER));
        assert!(own.len() > 1000);
        assert_eq!(own, below(project.join(FOLDER)));
        for (path, text) in files() {
            assert_eq!(fs::read(project.join(path)).unwrap(), text, "{path}");
        }
    }

    /// Programs include files of the packed folders alone, so that they read no file of others.
    #[test]
    fn programs_include_packed_files_alone() {
        let mut included = 0;
        for (path, text) in files() {
            let text = String::from_utf8_lossy(text);
            for (_, rest) in text.match_indices("(include \"").map(|(at, word)| text.split_at(at + word.len())) {
                let Some((name, _)) = rest.split_once('"') else { continue };
                let mut place: Vec<&str> = path.split('/').collect();
                place.pop();
                for part in name.split('/') {
                    if part == ".." {
                        assert!(place.pop().is_some(), "{path} includes {name}");
                    } else if part != "." {
                        place.push(part);
                    }
                }
                let place = place.join("/");
                assert!(place.starts_with(FOLDER) || place.starts_with("examples/"), "{path} includes {place}");
                included += usize::from(place.starts_with("examples/"));
            }
        }
        assert!(included >= 52);
    }
}
