//! The cache of compiled objects in the user's cache folder.
//!
//! ```text
//! Job --key--> entry in the folder? --verified--> Library
//!                 | none, or damaged
//!                 +--> compiler --> Built --stored--> Library
//! ```
//!
//! Invariants: the cache never makes a run fail - whatever is wrong with it is a note, and the run compiles; an entry is
//! loaded only if its contents are those that were stored under its key, and what is loaded are those very bytes, whatever
//! becomes of the file; entries take their place as finished files, so that several processes can work on one folder; the folder and all
//! that is in it belong to the user, and nobody else may write there.

mod entry;
mod folder;
mod key;
mod mark;
mod upkeep;

pub use entry::{seal, unseal};
pub use folder::{folder, is_named};
pub use mark::Mark;
pub use upkeep::{MOST_BYTES, Usage, clear, usage};

use crate::loading::Library;
use crate::toolchain::{Built, Job, Toolchain, ToolchainError, check_object, reason_of, shown_path};
use entry::Fetched;
use std::fmt;
use std::path::{Path, PathBuf};

/// Whether a run uses the cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CachePolicy {
    /// Look there first, and store what was compiled.
    #[default]
    Use,
    /// Neither look nor store.
    Bypass,
}

/// The cache as one run sees it.
#[derive(Clone, Debug)]
pub struct Cache {
    /// None if there is nothing to use.
    folder: Option<PathBuf>,
    notes: Vec<CacheNote>,
    most_bytes: u64,
}

/// Something that kept the cache from doing its work; never an error of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CacheNote {
    /// Neither a folder of its own nor a home is set.
    NoFolder,
    /// The folder cannot be made or read.
    Unusable {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// Others could change what is in the folder.
    Unsafe {
        /// The folder.
        folder: PathBuf,
        /// Who could.
        reason: String,
    },
    /// An entry is not what was stored; it was removed and is built again.
    Damaged {
        /// Its file.
        entry: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// What was compiled could not be stored.
    NotStored {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        reason: String,
    },
}

impl fmt::Display for CacheNote {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CacheNote::NoFolder => {
                write!(formatter, "no cache: none of VLAD_CACHE, XDG_CACHE_HOME and HOME names a folder")
            }
            CacheNote::Unusable { folder, reason } => {
                write!(formatter, "no cache: the folder {} cannot be used: {reason}", shown_path(folder))
            }
            CacheNote::Unsafe { folder, reason } => {
                write!(formatter, "no cache: the folder {} is not safe: {reason}", shown_path(folder))
            }
            CacheNote::Damaged { entry, reason } => {
                write!(formatter, "the cached object {} was removed: {reason}", shown_path(entry))
            }
            CacheNote::NotStored { folder, reason } => {
                write!(formatter, "the cache {} could not store an object: {reason}", shown_path(folder))
            }
        }
    }
}

/// Where a loaded object comes from.
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
    /// Where it comes from.
    pub provenance: Provenance,
    /// What was wrong with the cache on the way.
    pub notes: Vec<CacheNote>,
}

impl Cache {
    /// The cache in the user's folder, which is made if it is missing.
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

    /// The cache in some folder, which is made if it is missing and holds so many bytes at most.
    #[must_use]
    pub fn at(folder: PathBuf, most_bytes: u64) -> Cache {
        match folder::prepare(&folder) {
            Ok(folder) => Cache { folder: Some(folder), notes: Vec::new(), most_bytes },
            Err(note) => Cache { folder: None, notes: vec![note], most_bytes },
        }
    }

    /// The folder that is used; none if the run goes without.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Why the run goes without a cache, if it should have one.
    #[must_use]
    pub fn notes(&self) -> &[CacheNote] {
        &self.notes
    }

    /// Looks whether something could be stored, if the cache is used at all; nothing is left behind.
    ///
    /// # Errors
    /// It could not.
    pub fn try_storing(&self) -> Result<(), CacheNote> {
        let Some(folder) = &self.folder else { return Ok(()) };
        entry::try_storing(folder)
            .map_err(|fault| CacheNote::NotStored { folder: folder.clone(), reason: reason_of(&fault) })
    }

    /// Tells whether a mark has been left here. One that has been may have outlived its object.
    #[must_use]
    pub fn has(&self, mark: &Mark) -> bool {
        self.folder.as_ref().is_some_and(|folder| mark.is_in(folder))
    }

    /// Leaves a mark, if the cache is used at all.
    pub fn leave(&self, mark: &Mark) {
        if let Some(folder) = &self.folder {
            mark.leave_in(folder);
        }
    }

    /// Removes a mark whose object is not here.
    pub fn remove(&self, mark: &Mark) {
        if let Some(folder) = &self.folder {
            mark.remove_from(folder);
        }
    }

    /// The loaded object of a job: the cached one, or one compiled now and stored.
    ///
    /// # Errors
    /// It has to be compiled, and that or loading it fails.
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

    /// The loaded object of a job if it is in the cache.
    #[must_use]
    pub fn cached(&self, toolchain: &Toolchain, job: &Job<'_>) -> Option<Object> {
        let mut notes = self.notes.clone();
        let library = fetch(self.folder.as_ref()?, &key::of(toolchain, job), &mut notes)?;
        Some(Object { library, provenance: Provenance::Cached, notes })
    }

    /// The bytes of the object of a job, which is compiled and stored unless it is in the cache.
    ///
    /// # Errors
    /// It has to be compiled, and that fails.
    pub fn bytes(&self, toolchain: &Toolchain, job: &Job<'_>) -> Result<Vec<u8>, ToolchainError> {
        let key = self.folder.as_ref().map(|_| key::of(toolchain, job));
        if let (Some(folder), Some(key)) = (&self.folder, &key)
            && let Fetched::Sound(bytes) = entry::read(&entry::path(folder, key), key)
        {
            return Ok(bytes);
        }
        let built = toolchain.compile(job)?;
        self.store(key.as_deref(), &built, &mut Vec::new());
        Ok(built.into_bytes())
    }

    /// Puts an object in its place under a key, if there is a folder.
    fn store(&self, key: Option<&str>, built: &Built, notes: &mut Vec<CacheNote>) {
        let (Some(folder), Some(key)) = (&self.folder, key) else { return };
        if let Err(fault) = entry::store(folder, key, built.bytes()) {
            notes.push(CacheNote::NotStored { folder: folder.clone(), reason: reason_of(&fault) });
        }
        // A folder that cannot be trimmed now is trimmed when the next object is stored.
        let _ = upkeep::trim(folder, self.most_bytes);
    }
}

impl Object {
    /// Loads an object whose bytes were compiled just now, by another process.
    ///
    /// # Errors
    /// They are not those of a whole object, or it cannot be loaded.
    pub fn of_bytes(bytes: &[u8]) -> Result<Object, ToolchainError> {
        let origin = Path::new("program.so");
        check_object(bytes).map_err(|reason| ToolchainError::NotLoadable { object: origin.to_owned(), reason })?;
        let library = Library::of_bytes(bytes, origin)?;
        Ok(Object { library, provenance: Provenance::Compiled, notes: Vec::new() })
    }
}

/// Loads an entry if it is there and sound; one that is not is removed.
fn fetch(folder: &Path, key: &str, notes: &mut Vec<CacheNote>) -> Option<Library> {
    let entry = entry::path(folder, key);
    let reason = match entry::read(&entry, key) {
        Fetched::Missing => return None,
        Fetched::Damaged(reason) => reason,
        Fetched::Sound(object) => match Library::of_bytes(&object, &entry) {
            Ok(library) => return Some(library),
            Err(fault) => fault.description(),
        },
    };
    // If it cannot be removed, it is replaced when the new one is stored.
    let _ = std::fs::remove_file(&entry);
    notes.push(CacheNote::Damaged { entry, reason });
    None
}
