//! Programs on their way to the C compiler: as texts, with all that decides what it makes of them.
//!
//! ```text
//! tasks --prepare--> Prepared --Cache::object--> Object --> Loaded
//!                       |                                     ^
//!                       +--order--> Order --carry_out--> bytes of an object
//! ```
//!
//! The lower way is for another process: an [`Order`] is plain data, which that process carries out with a compiler that it
//! finds by itself, and what it gives back are the bytes of the object. Both ways find and make the same entry of the cache.

use crate::cache::{Cache, CachePolicy, Object};
use crate::emit;
use crate::engine::{Headers, Loaded, Settings, Task, optimisation_for, texts, time_limit_for, total_length};
use crate::foreign::Code;
use crate::toolchain::{DEFAULT_TIME_LIMIT, Job, Optimisation, Search, Source, Toolchain, ToolchainError};
use std::ffi::OsString;
use std::sync::Arc;
use std::time::{Duration, Instant};
use vlad_shared::internal_bug;

/// What a C compiler is to do for programs, and with what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The C compiler that the user names; without one it is searched for.
    pub compiler: Option<OsString>,
    /// Whether compiled objects are kept and looked for.
    pub cache: CachePolicy,
    /// How hard the compiler tries.
    pub optimisation: Optimisation,
    /// The time that it has.
    pub time_limit: Duration,
    /// The bytes of memory that each of its processes may take.
    pub memory_limit: Option<u64>,
    /// The texts, each behind the prefix of its symbols.
    pub sources: Vec<(String, String)>,
}

/// Programs that are ready for the compiler.
#[derive(Debug)]
pub struct Prepared {
    toolchain: Toolchain,
    order: Order,
    cache: Cache,
}

/// Makes programs ready for the compiler, which is found and asked for its version.
///
/// # Errors
/// There is no C compiler, or the programs are too large for it.
pub fn prepare(tasks: &[Task<'_>], settings: &Settings) -> Result<Prepared, ToolchainError> {
    let begun = Instant::now();
    let search = Search::with_environment(settings.compiler.clone());
    let toolchain = Toolchain::find(&search, settings.time_limit.unwrap_or(DEFAULT_TIME_LIMIT))?;
    let prefixes: Vec<String> = (0..tasks.len()).map(prefix).collect();
    let texts = texts(tasks, &prefixes, settings.willingness, toolchain.family())?;
    let order = Order {
        compiler: settings.compiler.clone(),
        cache: settings.cache,
        optimisation: settings.optimisation.unwrap_or_else(|| optimisation_for(&texts)),
        time_limit: match settings.time_limit {
            Some(limit) => limit.saturating_sub(begun.elapsed()),
            None => time_limit_for(total_length(&texts)),
        },
        memory_limit: settings.memory_limit,
        sources: prefixes.into_iter().zip(texts).collect(),
    };
    Ok(Prepared { toolchain, order, cache: Cache::open(settings.cache) })
}

impl Prepared {
    /// The loaded programs, which are those that were prepared: from the cache, or compiled now.
    ///
    /// # Errors
    /// They have to be compiled, and that or loading them fails.
    pub fn compile(&self, tasks: &[Task<'_>]) -> Result<Vec<Loaded>, ToolchainError> {
        let object = self.order.with_job(|job| self.cache.object(&self.toolchain, job))?;
        Ok(loaded(object, tasks))
    }

    /// The loaded programs if they are in the cache.
    #[must_use]
    pub fn cached(&self, tasks: &[Task<'_>]) -> Option<Vec<Loaded>> {
        let object = self.order.with_job(|job| self.cache.cached(&self.toolchain, job))?;
        Some(loaded(object, tasks))
    }

    /// What a compiler is to do for the programs.
    #[must_use]
    pub fn into_order(self) -> Order {
        self.order
    }
}

impl Order {
    /// The bytes of the object, which is compiled, and kept in the cache; or was there.
    ///
    /// # Errors
    /// There is no C compiler, or it fails.
    pub fn carry_out(&self) -> Result<Vec<u8>, ToolchainError> {
        let toolchain = Toolchain::find(&Search::with_environment(self.compiler.clone()), self.time_limit)?;
        self.with_job(|job| Cache::open(self.cache).bytes(&toolchain, job))
    }

    fn with_job<T>(&self, work: impl FnOnce(&Job<'_>) -> T) -> T {
        let sources: Vec<Source<'_>> = self.sources.iter().map(|(name, text)| Source { name, text }).collect();
        let headers = Headers { operations: emit::operations_header() };
        work(&Job {
            sources: &sources,
            headers: &headers.all(),
            optimisation: self.optimisation,
            time_limit: self.time_limit,
            memory_limit: self.memory_limit,
        })
    }
}

/// The prefix of the symbols of the program at a place.
fn prefix(place: usize) -> String {
    format!("vlad_p{place}_")
}

/// The programs in an object that was compiled for them.
pub fn loaded(object: Object, tasks: &[Task<'_>]) -> Vec<Loaded> {
    let library = Arc::new(object.library);
    let find = |(place, task): (usize, &Task<'_>)| {
        let Some(code) = Code::find(&library, &emit::program_symbol(&prefix(place)), task.program) else {
            internal_bug!("an object holds the programs that were compiled into it");
        };
        Loaded::new(code, object.provenance, object.notes.clone())
    };
    tasks.iter().enumerate().map(find).collect()
}
