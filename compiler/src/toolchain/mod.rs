//! The system's C compiler: finding it, identifying it, and running it on generated C.
//!
//! ```text
//! Search --find--> Toolchain --compile(Job)--> Built (an object file in a private folder)
//! ```
//!
//! Invariants: no shell and no flags of the environment are used. No program names or paths of users reach the
//! compiler, which works in a private folder on files whose names are fixed here. Its output and its time are bounded.
//! Its object is checked to be whole before anything loads it.

mod bounds;
mod compile;
mod error;
mod find;
mod flags;
mod process;

pub use bounds::hold;
pub use compile::{Built, DEFAULT_TIME_LIMIT, Header, Job, Source, check_object, leave};
pub(crate) use error::reason_of;
pub use error::{Attempt, ToolchainError, shown_path};
pub use find::{CompilerSetting, Search};
pub use flags::{Family, Optimisation, is_sanitising};
pub(crate) use flags::{PACKED_LOOPS, RELAXED_ARITHMETIC, STRICT_ARITHMETIC, UNOBSERVED};
pub use process::lower_priority;

use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A C compiler that was found and has been identified.
#[derive(Clone, Debug)]
pub struct Toolchain {
    /// The absolute path by which it is run. It is not canonical, since a compiler may depend on the name it is called
    /// by.
    program: PathBuf,
    choice: CompilerSetting,
    family: Family,
    identity: Identity,
}

/// The identity of a compiler: a part of the key of everything that it compiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The canonical path of its file.
    pub file: PathBuf,
    /// The size of its file in bytes.
    pub bytes: u64,
    /// The time at which its file was last written; none if the file system does not record it.
    pub modified: Option<SystemTime>,
    /// The first line of its output when it is asked for its version; empty if there is none.
    pub version: String,
}

impl Toolchain {
    /// The path by which the compiler is run.
    #[must_use]
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// The setting that selected the compiler.
    #[must_use]
    pub fn choice(&self) -> CompilerSetting {
        self.choice
    }

    /// Its family, which determines the flags.
    #[must_use]
    pub fn family(&self) -> Family {
        self.family
    }

    /// Its identity, by which it is distinguished from other compilers.
    #[must_use]
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// All its flags, in order; names of files come after them.
    #[must_use]
    pub fn flags(&self, optimisation: Optimisation) -> Vec<&'static str> {
        flags::of(self.family, optimisation)
    }
}
