//! The system's C compiler: finding it, telling it apart, running it on generated C.
//!
//! ```text
//! Search --find--> Toolchain --compile(Job)--> Built (an object file in a private folder)
//! ```
//!
//! Invariants: no shell and no flags of the environment ever take part; names of programs and paths of users never reach
//! the compiler, which works in a private folder on files that are named here; its output and its time are bounded;
//! what it leaves is checked to be a whole object before anything loads it.

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
pub use find::{Choice, Search};
pub use flags::{Family, Optimisation, is_sanitising};
pub use process::step_back;

use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A C compiler that was found and has told its version.
#[derive(Clone, Debug)]
pub struct Toolchain {
    /// The absolute path it is run by; not canonical, since a compiler may look at the name it is called by.
    program: PathBuf,
    choice: Choice,
    family: Family,
    identity: Identity,
}

/// What tells one compiler from another: a part of the key of everything that it compiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The canonical path of its file.
    pub file: PathBuf,
    /// The size of its file in bytes.
    pub bytes: u64,
    /// When its file was written last; none where the file system does not say.
    pub modified: Option<SystemTime>,
    /// The first line that it prints when asked for its version; empty if it prints none.
    pub version: String,
}

impl Toolchain {
    /// The path that the compiler is run by.
    #[must_use]
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Who chose it.
    #[must_use]
    pub fn choice(&self) -> Choice {
        self.choice
    }

    /// Its family, which decides on the flags.
    #[must_use]
    pub fn family(&self) -> Family {
        self.family
    }

    /// What tells it from other compilers.
    #[must_use]
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// All flags it is given, in order; names of files come behind them.
    #[must_use]
    pub fn flags(&self, optimisation: Optimisation) -> Vec<&'static str> {
        flags::of(self.family, optimisation)
    }
}
