//! Cache of compiled objects, in the user's cache folder.
//!
//! ```text
//! Job --key--> entry in the folder? --verified--> Library
//!                 | none, or damaged
//!                 +--> compiler --> Built --stored--> Library
//! ```
//!
//! Invariants: the cache never makes a run fail - a problem with it is a note, and the run compiles. An entry is loaded
//! only if its contents are those that were stored under its key, and exactly the verified bytes are loaded, even if
//! the file changes afterwards. Entries are put in place as finished files, so several processes can share a folder.
//! The folder and all its contents belong to the user, and nobody else may write there.

mod entry;
mod folder;
mod key;
mod mark;
mod note;
mod upkeep;

pub use entry::{seal, unseal};
pub use folder::{folder, is_named};
pub use key::{Makers, of as key_of};
pub use mark::{DataInMark, Mark};
pub use note::CacheNote;
pub use upkeep::{MOST_BYTES, Usage, clear, usage};

use crate::foreign::loading::Library;
use crate::toolchain::{Built, Job, Toolchain, ToolchainError, check_object, reason_of};
use entry::Lookup;
use std::path::{Path, PathBuf};

/// The use of the cache by a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CachePolicy {
    /// Look objects up, and store those that are compiled.
    #[default]
    Use,
    /// Neither look up nor store.
    Bypass,
}

/// The cache as one run uses it.
#[derive(Clone, Debug)]
pub struct Cache {
    /// None if no folder can be used.
    folder: Option<PathBuf>,
    notes: Vec<CacheNote>,
    most_bytes: u64,
}

/// The origin of a loaded object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provenance {
    /// It was in the cache.
    Cached,
    /// It was compiled just now.
    Compiled,
}

/// A loaded object.
#[derive(Debug)]
pub struct Object {
    /// The object in the process.
    pub library: Library,
    /// Its origin.
    pub provenance: Provenance,
    /// The problems with the cache that were met.
    pub notes: Vec<CacheNote>,
}

impl Cache {
    /// Opens the cache in the user's folder, which is created if it is missing.
    #[must_use]
    pub fn open(policy: CachePolicy) -> Cache {
        match (policy, folder()) {
            (CachePolicy::Bypass, _) => Cache { folder: None, notes: Vec::new(), most_bytes: MOST_BYTES },
            (CachePolicy::Use, None) => {
                Cache { folder: None, notes: vec![CacheNote::NoFolder], most_bytes: MOST_BYTES }
            }
            (CachePolicy::Use, Some(folder)) => Cache::at(folder, MOST_BYTES),
        }
    }

    /// Opens the cache in some folder, which is created if it is missing. It holds at most so many bytes.
    #[must_use]
    pub fn at(folder: PathBuf, most_bytes: u64) -> Cache {
        match folder::prepare(&folder) {
            Ok(folder) => Cache { folder: Some(folder), notes: Vec::new(), most_bytes },
            Err(note) => Cache { folder: None, notes: vec![note], most_bytes },
        }
    }

    /// The folder that is used; none if the run has no cache.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The reasons why the run has no cache, if it should have one.
    #[must_use]
    pub fn notes(&self) -> &[CacheNote] {
        &self.notes
    }

    /// Tests that objects can be stored, if the cache is used at all; no file remains.
    ///
    /// # Errors
    /// A note of the reason why they cannot.
    pub fn try_storing(&self) -> Result<(), CacheNote> {
        let Some(folder) = &self.folder else { return Ok(()) };
        entry::try_storing(folder)
            .map_err(|fault| CacheNote::NotStored { folder: folder.clone(), reason: reason_of(&fault) })
    }

    /// Returns true if a marker is here. It may have outlived its object.
    #[must_use]
    pub fn has(&self, mark: &Mark) -> bool {
        self.folder.as_ref().is_some_and(|folder| mark.is_in(folder))
    }

    /// Creates the marker of an object, if the cache is used at all.
    pub fn leave(&self, mark: &Mark, makers: &Makers, key: &str) {
        if let Some(folder) = &self.folder {
            mark.leave_in(folder, makers, key);
        }
    }

    /// Returns the loaded object that a marker names, if it is in the cache.
    #[must_use]
    pub fn marked(&self, mark: &Mark, makers: &Makers) -> Option<Object> {
        let (folder, mut notes) = (self.folder.as_ref()?, self.notes.clone());
        let key = mark.key(folder, makers)?;
        let library = fetch(folder, &key, &mut notes)?;
        mark.leave_in(folder, makers, &key);
        Some(Object { library, provenance: Provenance::Cached, notes })
    }

    /// Returns the bytes of the object that a marker names, if it is in the cache.
    #[must_use]
    pub fn marked_bytes(&self, mark: &Mark, makers: &Makers) -> Option<Vec<u8>> {
        let folder = self.folder.as_ref()?;
        let key = mark.key(folder, makers)?;
        let Lookup::Sound(bytes) = entry::read(&entry::path(folder, &key), &key) else { return None };
        mark.leave_in(folder, makers, &key);
        Some(bytes)
    }

    /// Removes a marker whose object is not here.
    pub fn remove(&self, mark: &Mark) {
        if let Some(folder) = &self.folder {
            mark.remove_from(folder);
        }
    }

    /// Returns the loaded object of a job: the cached one, or one compiled now and stored.
    ///
    /// # Errors
    /// The object has to be compiled, and that or loading it fails.
    pub fn object(&self, toolchain: &Toolchain, job: &Job<'_>) -> Result<Object, ToolchainError> {
        let mut notes = self.notes.clone();
        let key = self.folder.as_ref().map(|_| key::of(toolchain, job));
        if let (Some(folder), Some(key)) = (&self.folder, &key)
            && let Some(library) = fetch(folder, key, &mut notes)
        {
            return Ok(Object { library, provenance: Provenance::Cached, notes });
        }
        let built = toolchain.compile(job)?;
        self.store(key.as_deref(), &built, &mut notes);
        let library = Library::of_bytes(built.bytes(), built.path())?;
        Ok(Object { library, provenance: Provenance::Compiled, notes })
    }

    /// Returns the loaded object of a job if it is in the cache.
    #[must_use]
    pub fn cached(&self, toolchain: &Toolchain, job: &Job<'_>) -> Option<Object> {
        let mut notes = self.notes.clone();
        let library = fetch(self.folder.as_ref()?, &key::of(toolchain, job), &mut notes)?;
        Some(Object { library, provenance: Provenance::Cached, notes })
    }

    /// Returns the bytes of the object of a job, which is compiled and stored unless it is in the cache.
    ///
    /// # Errors
    /// The object has to be compiled, and that fails.
    pub fn bytes(&self, toolchain: &Toolchain, job: &Job<'_>) -> Result<Vec<u8>, ToolchainError> {
        let key = self.folder.as_ref().map(|_| key::of(toolchain, job));
        if let (Some(folder), Some(key)) = (&self.folder, &key)
            && let Lookup::Sound(bytes) = entry::read(&entry::path(folder, key), key)
        {
            return Ok(bytes);
        }
        let built = toolchain.compile(job)?;
        self.store(key.as_deref(), &built, &mut Vec::new());
        Ok(built.into_bytes())
    }

    /// Stores an object under a key, if there is a folder.
    fn store(&self, key: Option<&str>, built: &Built, notes: &mut Vec<CacheNote>) {
        let (Some(folder), Some(key)) = (&self.folder, key) else { return };
        if let Err(fault) = entry::store(folder, key, built.bytes()) {
            notes.push(CacheNote::NotStored { folder: folder.clone(), reason: reason_of(&fault) });
        }
        // If the folder cannot be trimmed now, it is trimmed when the next object is stored.
        let _ = upkeep::trim(folder, self.most_bytes);
    }
}

impl Object {
    /// Loads an object from bytes that another process has just compiled.
    ///
    /// # Errors
    /// The bytes are not those of a whole object, or it cannot be loaded.
    pub fn of_bytes(bytes: &[u8]) -> Result<Object, ToolchainError> {
        let origin = Path::new("program.so");
        check_object(bytes).map_err(|reason| ToolchainError::NotLoadable { object: origin.to_owned(), reason })?;
        let library = Library::of_bytes(bytes, origin)?;
        Ok(Object { library, provenance: Provenance::Compiled, notes: Vec::new() })
    }
}

/// Loads an entry if it exists and is sound; a damaged one is removed.
fn fetch(folder: &Path, key: &str, notes: &mut Vec<CacheNote>) -> Option<Library> {
    let entry = entry::path(folder, key);
    let reason = match entry::read(&entry, key) {
        Lookup::Missing => return None,
        Lookup::Damaged(reason) => reason,
        Lookup::Sound(object) => match Library::of_bytes(&object, &entry) {
            Ok(library) => return Some(library),
            Err(fault) => fault.description(),
        },
    };
    // If it cannot be removed, the next object that is stored replaces it.
    let _ = std::fs::remove_file(&entry);
    notes.push(CacheNote::Damaged { entry, reason });
    None
}
