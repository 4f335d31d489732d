//! Programs prepared for the C compiler: their texts, with everything else that decides the compiled object.
//!
//! ```text
//! tasks --prepare--> Prepared --compile, cached--> Loaded
//!                       |                            ^
//!                       +--bytes--> bytes of an object, which another process loads
//! ```
//!
//! Both ways find and create the same entry of the cache.

use super::cache::{Cache, Mark, Object};
use super::loaded::Loaded;
use super::settings::Settings;
use super::task::Task;
use super::texts::{Headers, optimisation_for, texts, time_limit_for, total_length};
use crate::foreign::Code;
use crate::tagged::program_symbol;
use crate::toolchain::{DEFAULT_TIME_LIMIT, Job, Optimisation, Search, Source, Toolchain, ToolchainError};
use std::sync::Arc;
use std::time::{Duration, Instant};
use vlad_table::internal_bug;

/// Programs that are ready for the compiler.
#[derive(Debug)]
pub struct Prepared {
    toolchain: Toolchain,
    cache: Cache,
    /// The cache marker of the program, if it is the only one.
    mark: Option<Mark>,
    optimisation: Optimisation,
    /// The time limit of the compiler.
    time_limit: Duration,
    /// The limit in bytes on the memory of each of its processes.
    memory_limit: Option<u64>,
    /// The texts, each after the prefix of its symbols.
    sources: Vec<(String, String)>,
}

/// Compiles programs in one run of the C compiler, and loads them. The result is in their order.
///
/// # Errors
/// There is no C compiler, it fails, or its object cannot be loaded.
pub fn compile(tasks: &[Task<'_>], settings: &Settings) -> Result<Vec<Loaded>, ToolchainError> {
    if tasks.is_empty() {
        return Ok(Vec::new());
    }
    prepare(tasks, settings)?.compile(tasks)
}

/// Prepares programs for the compiler, which is found and asked for its version.
///
/// # Errors
/// There is no C compiler, or the programs are too large for it.
pub fn prepare(tasks: &[Task<'_>], settings: &Settings) -> Result<Prepared, ToolchainError> {
    let begun = Instant::now();
    let search = Search::with_environment(settings.compiler.clone());
    let toolchain = Toolchain::find(&search, settings.time_limit.unwrap_or(DEFAULT_TIME_LIMIT))?;
    let prefixes: Vec<String> = (0..tasks.len()).map(prefix).collect();
    let texts = texts(tasks, &prefixes, settings, toolchain.family())?;
    let mark = match tasks {
        [task] => Some(Mark::of(*task, settings.specialise, settings.passes)),
        _ => None,
    };
    Ok(Prepared {
        toolchain,
        cache: Cache::open(settings.cache),
        mark,
        optimisation: settings.optimisation.unwrap_or_else(|| optimisation_for(&texts)),
        time_limit: match settings.time_limit {
            Some(limit) => limit.saturating_sub(begun.elapsed()),
            None => time_limit_for(total_length(&texts)),
        },
        memory_limit: settings.memory_limit,
        sources: prefixes.into_iter().zip(texts).collect(),
    })
}

impl Prepared {
    /// Returns the loaded programs, from the cache or compiled now. The tasks must be those that were prepared.
    ///
    /// # Errors
    /// The programs have to be compiled, and that or loading them fails.
    pub fn compile(&self, tasks: &[Task<'_>]) -> Result<Vec<Loaded>, ToolchainError> {
        let object = self.with_job(|job| self.cache.object(&self.toolchain, job))?;
        self.leave_mark();
        Ok(loaded(object, tasks))
    }

    /// Returns the loaded programs if they are in the cache.
    #[must_use]
    pub fn cached(&self, tasks: &[Task<'_>]) -> Option<Vec<Loaded>> {
        let Some(object) = self.with_job(|job| self.cache.cached(&self.toolchain, job)) else {
            // With the marker the next search would expect the object in vain.
            if let Some(mark) = &self.mark {
                self.cache.remove(mark);
            }
            return None;
        };
        self.leave_mark();
        Some(loaded(object, tasks))
    }

    /// Returns the bytes of the object, from the cache or compiled now and stored there.
    ///
    /// # Errors
    /// The programs have to be compiled, and that fails.
    pub fn bytes(&self) -> Result<Vec<u8>, ToolchainError> {
        let bytes = self.with_job(|job| self.cache.bytes(&self.toolchain, job))?;
        self.leave_mark();
        Ok(bytes)
    }

    fn leave_mark(&self) {
        if let Some(mark) = &self.mark {
            self.cache.leave(mark);
        }
    }

    fn with_job<T>(&self, work: impl FnOnce(&Job<'_>) -> T) -> T {
        let sources: Vec<Source<'_>> = self.sources.iter().map(|(name, text)| Source { name, text }).collect();
        let headers = Headers::default();
        work(&Job {
            sources: &sources,
            headers: &headers.all(),
            optimisation: self.optimisation,
            time_limit: self.time_limit,
            memory_limit: self.memory_limit,
        })
    }
}

/// The prefix of the symbols of the program at an index.
fn prefix(place: usize) -> String {
    format!("vlad_p{place}_")
}

/// Returns the programs in an object that was compiled for them.
pub fn loaded(object: Object, tasks: &[Task<'_>]) -> Vec<Loaded> {
    let library = Arc::new(object.library);
    let find = |(place, task): (usize, &Task<'_>)| {
        let Some(code) = Code::find(&library, &program_symbol(&prefix(place)), task.program) else {
            internal_bug!("an object holds the programs that were compiled into it");
        };
        Loaded::new(code, object.provenance, object.notes.clone())
    };
    tasks.iter().enumerate().map(find).collect()
}
