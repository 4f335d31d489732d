//! A file that replaces its target atomically.
//!
//! ```text
//! begin: a file without a name in the folder of its target   (if the system has none: a file with a name there)
//! place: link it to the target                                (if the target exists: link it to another name there,
//!                                                              and rename that to the target)
//! ```
//!
//! A link replaces nothing, so a file that replaces another one has a name of its own for the moment between the two
//! calls. During that moment, [`crate::ending`] delays the termination of the process. A process that is killed
//! (SIGKILL) then, or while it writes a file on a system without nameless files, leaves a file
//! [`PREFIX`]`NUMBER-NUMBER`.

use crate::ending::Names;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// The prefix of the names of partial files; two numbers follow, the first of which is that of the process.
pub const PREFIX: &str = ".vlad-";

/// The most names that are tried; the earlier ones exist already.
const MOST_TRIALS: u32 = 10_000;

/// The permissions of a new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Those that the user's mask allows, as for other files; or those of the file that is replaced.
    AsUsual,
    /// The same, and it may be run by those who may read it.
    Executable,
    /// Read and write for the user alone.
    Private,
}

impl Access {
    fn mode(self) -> u32 {
        match self {
            Access::AsUsual => 0o666,
            Access::Executable => 0o777,
            Access::Private => 0o600,
        }
    }

    /// Returns the permissions of a file that replaces another one; none if they do not depend on that.
    fn after(self, replaced: u32) -> Option<u32> {
        match self {
            Access::AsUsual => Some(replaced & 0o777),
            Access::Executable => Some(replaced & 0o777 | (replaced & 0o444) >> 2),
            Access::Private => None,
        }
    }
}

/// A partial file; dropping it removes it.
#[derive(Debug)]
pub struct Draft {
    file: File,
    target: PathBuf,
    /// Its name, if it has one already.
    name: Option<PathBuf>,
}

impl Draft {
    /// Begins a file that is to be placed at `target`, where a file may exist or not.
    ///
    /// # Errors
    /// No file can be made in that folder.
    pub fn begin(target: &Path, access: Access) -> io::Result<Draft> {
        let nameless = without_name(folder_of(target), access);
        let draft = match nameless {
            Some(file) => Draft { file, target: target.to_owned(), name: None },
            None => Draft::begin_with_name(target, access)?,
        };
        let replaced = fs::metadata(target).ok().map(|replaced| replaced.permissions().mode());
        if let Some(mode) = replaced.and_then(|mode| access.after(mode)) {
            draft.file.set_permissions(Permissions::from_mode(mode))?;
        }
        Ok(draft)
    }

    /// Begins a file with a name, on a system without nameless files.
    fn begin_with_name(target: &Path, access: Access) -> io::Result<Draft> {
        let mut names = Names::lock();
        let (file, name) =
            beside(target, |name| OpenOptions::new().write(true).create_new(true).mode(access.mode()).open(name))?;
        names.note_file(&name);
        Ok(Draft { file, target: target.to_owned(), name: Some(name) })
    }

    /// Returns the open file, to be written.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Places the file, as it is now, at its target.
    ///
    /// # Errors
    /// It cannot be placed there. The target is unchanged, and the file is removed.
    pub fn place(mut self) -> io::Result<()> {
        let mut names = Names::lock();
        let name = match self.name.take() {
            Some(name) => name,
            None => {
                let own = path_of(&self.file);
                match link(&own, &self.target) {
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                    placed => return placed,
                }
                let ((), name) = beside(&self.target, |name| link(&own, name))?;
                names.note_file(&name);
                name
            }
        };
        match fs::rename(&name, &self.target) {
            Ok(()) => {
                names.forget(&name);
                Ok(())
            }
            Err(error) => {
                names.remove(&name);
                Err(error)
            }
        }
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(name) = self.name.take() {
            Names::lock().remove(&name);
        }
    }
}

/// Returns the folder that contains the file of a path.
fn folder_of(target: &Path) -> &Path {
    match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        Some(_) | None => Path::new("."),
    }
}

/// Makes something under an unused name in the folder of the target, and returns it with that name.
fn beside<T>(target: &Path, make: impl Fn(&Path) -> io::Result<T>) -> io::Result<(T, PathBuf)> {
    let folder = folder_of(target);
    let process = std::process::id();
    for number in 0..MOST_TRIALS {
        let name = folder.join(format!("{PREFIX}{process}-{number}"));
        match make(&name) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return Ok((made?, name)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Opens a new nameless file in a folder, which can be linked to a name later; none if the system has no such files.
#[cfg(target_os = "linux")]
fn without_name(folder: &Path, access: Access) -> Option<File> {
    let flags = rustix::fs::OFlags::TMPFILE.bits().cast_signed();
    let file = OpenOptions::new().write(true).mode(access.mode()).custom_flags(flags).open(folder).ok()?;
    // The file is linked by this path, which exists only if /proc is mounted.
    fs::symlink_metadata(path_of(&file)).ok()?;
    Some(file)
}

#[cfg(not(target_os = "linux"))]
fn without_name(_folder: &Path, _access: Access) -> Option<File> {
    None
}

/// Returns the path by which this process reaches an open file, whether the file has a name or not.
fn path_of(file: &File) -> PathBuf {
    use std::os::fd::AsRawFd;
    PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))
}

/// Links an open file to an unused name.
fn link(own: &Path, name: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    linkat(CWD, own, CWD, name, AtFlags::SYMLINK_FOLLOW).map_err(io::Error::from)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // tests may
mod tests {
    use super::*;
    use crate::private::PrivateFolder;
    use std::io::Write;

    type Begin = fn(&Path, Access) -> io::Result<Draft>;

    /// Both ways of beginning a file.
    const WAYS: [Begin; 2] = [Draft::begin, Draft::begin_with_name];

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_draft_is_placed_or_gone() {
        for begin in WAYS {
            let folder = PrivateFolder::make(&std::env::temp_dir()).unwrap();
            let target = folder.path().join("a");
            for text in ["new", "other"] {
                let draft = begin(&target, Access::AsUsual).unwrap();
                draft.file().write_all(text.as_bytes()).unwrap();
                draft.place().unwrap();
                assert_eq!(fs::read_to_string(&target).unwrap(), text);
                let given_up = begin(&target, Access::AsUsual).unwrap();
                given_up.file().write_all(b"half").unwrap();
                drop(given_up);
                assert_eq!(fs::read_to_string(&target).unwrap(), text);
                assert_eq!(names(folder.path()), ["a"]);
            }
        }
    }

    #[test]
    fn a_draft_that_cannot_be_placed_leaves_nothing() {
        for begin in WAYS {
            let folder = PrivateFolder::make(&std::env::temp_dir()).unwrap();
            let target = folder.path().join("a");
            let draft = begin(&target, Access::AsUsual).unwrap();
            // A folder that is not empty cannot be replaced by a file.
            fs::create_dir_all(target.join("b")).unwrap();
            draft.place().unwrap_err();
            assert_eq!(names(folder.path()), ["a"]);
        }
        assert!(Draft::begin(Path::new("/no/such/folder/a"), Access::AsUsual).is_err());
    }

    /// On a system with nameless files, no name is visible until the file is placed.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_nameless_draft_is_not_to_be_seen() {
        let folder = PrivateFolder::make(&std::env::temp_dir()).unwrap();
        if without_name(folder.path(), Access::Private).is_some() {
            let draft = Draft::begin(&folder.path().join("a"), Access::AsUsual).unwrap();
            assert!(names(folder.path()).is_empty());
            draft.place().unwrap();
        }
    }

    /// The mask of the permissions of new files, by the system's own account.
    fn mask() -> u32 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("Umask:")).unwrap_or("22");
        u32::from_str_radix(mask.trim(), 8).unwrap()
    }

    #[test]
    fn permissions() {
        for begin in WAYS {
            let folder = PrivateFolder::make(&std::env::temp_dir()).unwrap();
            let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
            let secret = folder.path().join("secret");
            begin(&secret, Access::Private).unwrap().place().unwrap();
            assert_eq!(mode(&secret), 0o600);
            let script = folder.path().join("script");
            fs::write(&script, "").unwrap();
            fs::set_permissions(&script, Permissions::from_mode(0o750)).unwrap();
            Draft::begin(&script, Access::AsUsual).unwrap().place().unwrap();
            assert_eq!(mode(&script), 0o750);
            let program = folder.path().join("program");
            begin(&program, Access::Executable).unwrap().place().unwrap();
            assert_eq!(mode(&program), 0o777 & !mask());
            fs::set_permissions(&program, Permissions::from_mode(0o640)).unwrap();
            Draft::begin(&program, Access::Executable).unwrap().place().unwrap();
            assert_eq!(mode(&program), 0o750);
        }
    }

    #[test]
    fn names_of_others_are_left_alone() {
        let folder = PrivateFolder::make(&std::env::temp_dir()).unwrap();
        let other = folder.path().join(format!("{PREFIX}{}-0", std::process::id()));
        fs::write(&other, "other").unwrap();
        let target = folder.path().join("a");
        for begin in WAYS {
            begin(&target, Access::AsUsual).unwrap().place().unwrap();
        }
        assert_eq!(fs::read_to_string(&other).unwrap(), "other");
        assert_eq!(names(folder.path()).len(), 2);
    }
}
