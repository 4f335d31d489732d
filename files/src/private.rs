//! A temporary folder that only the user may enter.

use crate::ending::Names;
use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// The most names that are tried; the earlier ones exist already.
const MOST_TRIALS: u32 = 100_000;

/// A private folder, which is removed when it is dropped or the process is terminated.
#[derive(Debug)]
pub struct PrivateFolder(PathBuf);

impl PrivateFolder {
    /// Makes a new folder within another one; its name begins with `vlad-` and the number of the process.
    ///
    /// # Errors
    /// No folder can be made there.
    pub fn make(parent: &Path) -> io::Result<PrivateFolder> {
        let parent = std::path::absolute(parent)?;
        let process = std::process::id();
        let mut names = Names::lock();
        for number in 0..MOST_TRIALS {
            let path = parent.join(format!("vlad-{process}-{number}"));
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => {
                    names.note_folder(&path);
                    return Ok(PrivateFolder(path));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        Names::lock().remove(&self.0);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // tests may
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_folder_is_private_and_goes() {
        // A name that has gone may be given again: of this folder's names other tests give none.
        let parent = PrivateFolder::make(&std::env::temp_dir()).unwrap();
        let first = PrivateFolder::make(parent.path()).unwrap();
        let second = PrivateFolder::make(first.path()).unwrap();
        assert_ne!(first.path(), second.path());
        assert_eq!(fs::metadata(first.path()).unwrap().permissions().mode() & 0o777, 0o700);
        fs::write(second.path().join("file"), "text").unwrap();
        let paths = [first.path().to_owned(), second.path().to_owned()];
        drop(first);
        assert!(paths.iter().all(|path| !path.exists()));
        drop(second);
        assert!(PrivateFolder::make(Path::new("/no/such/folder")).is_err());
    }
}
