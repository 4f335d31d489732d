//! Diagnosis of the environment of the native engine, as plain data: the compiler and the cache; and a probe that
//! exercises them.

use super::cache::{self, Cache, CacheNote, CachePolicy, Usage};
use crate::foreign::loading::Library;
use crate::toolchain::{Job, Optimisation, Search, Source, Toolchain, ToolchainError};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The state of the environment of the native engine.
#[derive(Debug)]
pub struct Diagnosis {
    /// The compiler, or the reason why there is none.
    pub toolchain: Result<Toolchain, ToolchainError>,
    /// The time to compile, load and call a small function, or the error.
    pub probe: Result<Duration, ToolchainError>,
    /// The state of the cache.
    pub cache: CacheState,
}

/// The state of the cache.
#[derive(Clone, Debug)]
pub struct CacheState {
    /// Its folder, which need not exist.
    pub folder: Option<PathBuf>,
    /// The number and size of its entries; none if they cannot be counted.
    pub usage: Option<Usage>,
    /// The reasons why it cannot be used.
    pub notes: Vec<CacheNote>,
}

/// Diagnoses the environment. Each run of the compiler takes at most the time limit.
#[must_use]
pub fn diagnose(search: &Search, policy: CachePolicy, limit: Duration) -> Diagnosis {
    let toolchain = Toolchain::find(search, limit);
    let probe = toolchain.clone().and_then(|toolchain| probe(&toolchain, limit));
    Diagnosis { toolchain, probe, cache: cache_state(policy) }
}

/// Returns the state of the user's cache.
#[must_use]
pub fn cache_state(policy: CachePolicy) -> CacheState {
    let opened = Cache::open(policy);
    let folder = opened.folder().map_or_else(cache::folder, |folder| Some(folder.to_owned()));
    let usage = folder.as_deref().and_then(|folder| cache::usage(folder).ok());
    let notes = opened.notes().iter().cloned().chain(opened.try_storing().err()).collect();
    CacheState { folder, usage, notes }
}

/// The C text of the probe.
const TRIAL: &str = "\
#if defined(__GNUC__) && !defined(__TINYC__)
__attribute__((visibility(\"default\")))
#endif
int vlad_trial(void) { return 1729; }
";

/// Compiles a small function, loads it and calls it, without the cache. Returns the time that it took.
///
/// # Errors
/// The error of the step that fails: compiling, loading or calling.
pub fn probe(toolchain: &Toolchain, limit: Duration) -> Result<Duration, ToolchainError> {
    let start = Instant::now();
    let source = Source { name: "vlad_trial", text: TRIAL };
    let built = toolchain.compile(&Job {
        sources: &[source],
        headers: &[],
        optimisation: Optimisation::Full,
        time_limit: limit,
        memory_limit: None,
    })?;
    match Library::of_bytes(built.bytes(), built.path())?.number("vlad_trial") {
        Some(1729) => Ok(start.elapsed()),
        other => Err(ToolchainError::NotLoadable {
            object: built.path().to_owned(),
            reason: other.map_or_else(
                || "the function of the trial is not in it".to_owned(),
                |number| format!("the function of the trial gives {number} instead of 1729"),
            ),
        }),
    }
}
