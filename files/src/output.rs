//! A file at a path that a user gives: a regular file is replaced atomically.
//!
//! Anything else, such as a terminal, a pipe or `/dev/null`, cannot be replaced, and is written in place; so is a
//! writable file in a folder that is not writable. A symbolic link stays, and the file that it leads to is replaced.

use crate::draft::{Access, Draft};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The most links that are followed, one after the other.
const MOST_LINKS: usize = 40;

/// An output file that was found writable, and is unchanged until it is written.
#[derive(Debug)]
pub enum Output {
    /// A file that is replaced.
    Whole(Draft),
    /// A file that is written in place.
    InPlace(File),
}

impl Output {
    /// Opens an output file.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn begin(path: &Path) -> io::Result<Output> {
        let target = destination(path);
        let in_place = || OpenOptions::new().write(true).open(&target).map(Output::InPlace);
        match fs::metadata(&target) {
            // A file without permission to write is not replaced either.
            Ok(metadata) if metadata.is_file() => drop(in_place()?),
            Ok(_) => return in_place(),
            Err(_) => {}
        }
        Draft::begin(&target, Access::AsUsual).map(Output::Whole).or_else(|error| in_place().map_err(|_| error))
    }

    /// Writes the whole contents.
    ///
    /// # Errors
    /// It cannot be written; then a file that was to be replaced is unchanged.
    pub fn write(self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Output::Whole(draft) => {
                draft.file().write_all(bytes)?;
                draft.place()
            }
            Output::InPlace(mut file) => {
                if file.metadata()?.is_file() {
                    file.set_len(0)?;
                }
                file.write_all(bytes)?;
                file.flush()
            }
        }
    }
}

/// Writes a file.
///
/// # Errors
/// It cannot be written; then a regular file is unchanged.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    Output::begin(path)?.write(bytes)
}

/// Follows symbolic links, and returns the path of the file that a path leads to; the file need not exist.
pub fn destination(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            // The target of a link is relative to the folder of the link.
            Ok(to) => path = path.parent().unwrap_or(Path::new("")).join(to),
            Err(_) => break,
        }
    }
    path
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // tests may
mod tests {
    use super::*;
    use crate::private::PrivateFolder;
    use std::os::unix::fs::symlink;

    #[test]
    fn files_and_links() {
        let folder = PrivateFolder::make(&std::env::temp_dir()).unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("inner")).unwrap();
        symlink("inner/file", path("link")).unwrap();
        symlink("link", path("second")).unwrap();
        for text in ["first", "and again"] {
            write(&path("second"), text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(path("inner/file")).unwrap(), text);
            assert!(path("link").is_symlink() && path("second").is_symlink());
        }
        assert_eq!(fs::read_dir(path("inner")).unwrap().count(), 1);
    }

    #[test]
    fn what_is_no_plain_file() {
        write(Path::new("/dev/null"), b"nobody reads this").unwrap();
        assert!(write(&std::env::temp_dir(), b"a folder").is_err());
        symlink_loop();
    }

    fn symlink_loop() {
        let folder = PrivateFolder::make(&std::env::temp_dir()).unwrap();
        let link = folder.path().join("link");
        symlink("link", &link).unwrap();
        // The loop leads to no file, and the link becomes a file.
        write(&link, b"text").unwrap();
        assert_eq!(fs::read(&link).unwrap(), b"text");
    }

    #[test]
    fn nothing_changes_before_it_is_written() {
        let folder = PrivateFolder::make(&std::env::temp_dir()).unwrap();
        let path = folder.path().join("a");
        drop(Output::begin(&path).unwrap());
        assert!(!path.exists());
        fs::write(&path, "old").unwrap();
        drop(Output::begin(&path).unwrap());
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    }
}
