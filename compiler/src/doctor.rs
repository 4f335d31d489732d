//! What the native engine depends on, as plain data: the compiler, the cache, the C library; and a trial of all of them.

use crate::cache::{self, Cache, CacheNote, CachePolicy, Usage};
use crate::loading::{self, Library};
use crate::toolchain::{Job, Optimisation, Search, Source, Toolchain, ToolchainError};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The state of everything around the native engine.
#[derive(Debug)]
pub struct Diagnosis {
    /// The compiler, or why there is none.
    pub toolchain: Result<Toolchain, ToolchainError>,
    /// How long it took to compile, load and call a small function, or what went wrong.
    pub probe: Result<Duration, ToolchainError>,
    /// The state of the cache.
    pub cache: CacheState,
    /// The C library with its version, where it tells it. Its mathematics is that of all engines.
    pub c_library: Option<String>,
}

/// The state of the cache.
#[derive(Clone, Debug)]
pub struct CacheState {
    /// Where it is, or would be.
    pub folder: Option<PathBuf>,
    /// How much is in it; none if that cannot be told.
    pub usage: Option<Usage>,
    /// Why it cannot be used.
    pub notes: Vec<CacheNote>,
}

/// Looks at everything. What a compiler does takes at most the limit, each time that it is run.
#[must_use]
pub fn diagnose(search: &Search, policy: CachePolicy, limit: Duration) -> Diagnosis {
    let toolchain = Toolchain::find(search, limit);
    let probe = toolchain.clone().and_then(|toolchain| probe(&toolchain, limit));
    Diagnosis { toolchain, probe, cache: cache_state(policy), c_library: loading::c_library_version() }
}

/// The state of the user's cache.
#[must_use]
pub fn cache_state(policy: CachePolicy) -> CacheState {
    let opened = Cache::open(policy);
    let folder = opened.folder().map_or_else(cache::folder, |folder| Some(folder.to_owned()));
    let usage = folder.as_deref().and_then(|folder| cache::usage(folder).ok());
    let notes = opened.notes().iter().cloned().chain(opened.try_storing().err()).collect();
    CacheState { folder, usage, notes }
}

/// The C text of the trial.
const TRIAL: &str = "\
#if defined(__GNUC__) && !defined(__TINYC__)
__attribute__((visibility(\"default\")))
#endif
int vlad_trial(void) { return 1729; }
";

/// Compiles a small function, loads it and calls it, past the cache; tells how long that took.
///
/// # Errors
/// One of the three fails.
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
