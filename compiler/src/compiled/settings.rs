//! Settings of compilation.

use super::cache::CachePolicy;
use crate::specialised::Specialise;
use crate::toolchain::Optimisation;
use std::ffi::OsString;
use std::time::Duration;
use vlad_first_order::passes::Passes;

/// The settings of compilation.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The C compiler that the user names; without one it is searched for.
    pub compiler: Option<OsString>,
    /// The use of the cache of compiled objects.
    pub cache: CachePolicy,
    /// The degree of optimisation; none to choose it by the size of the program.
    pub optimisation: Option<Optimisation>,
    /// The time limit of the compiler, its version query included; none to choose it by the size of the program.
    pub time_limit: Option<Duration>,
    /// The limit in bytes on the memory of each process of the compiler, and on the size of each file that it writes;
    /// none for no limit of our own.
    pub memory_limit: Option<u64>,
    /// The programs that are compiled at all.
    pub willingness: SizePolicy,
    /// The items that are specialised.
    pub specialise: Specialise,
    /// The passes over specialised code.
    pub passes: Passes,
}
/// The programs that are compiled at all, by their size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SizePolicy {
    /// All of them, however long it takes.
    #[default]
    All,
    /// Those that the compiler can optimise in bearable time.
    NotHuge,
}
