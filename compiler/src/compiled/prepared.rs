//! Programs prepared for the C compiler: their texts, with everything else that decides the compiled object.
//!
//! ```text
//! tasks --prepare--> Prepared --compile, cached--> Loaded
//!                       |                            ^
//!                       +--bytes--> bytes of an object, which another process loads
//! ```
//!
//! Both ways find and create the same entry of the cache.

use super::cache::{Cache, DataInMark, Makers, Mark, Object, key_of};
use super::loaded::Loaded;
use super::settings::Settings;
use super::task::Task;
use super::texts::{Headers, Texts, optimisation_for, texts, time_limit_for};
use crate::foreign::Code;
use crate::tagged::program_symbol;
use crate::toolchain::{DEFAULT_TIME_LIMIT, Job, Search, Source, Toolchain, ToolchainError};
use std::cell::OnceCell;
use std::sync::Arc;
use std::time::Instant;
use vlad_table::internal_bug;

/// Programs that are ready for the compiler. Their texts are generated when they are needed: not for a program whose object a marker
/// names.
#[derive(Debug)]
pub struct Prepared<'run> {
    tasks: &'run [Task<'run>],
    settings: &'run Settings,
    begun: Instant,
    toolchain: Toolchain,
    cache: Cache,
    /// The makers of objects that markers name.
    makers: Option<Makers>,
    generated: OnceCell<Generated>,
}

/// The texts of programs.
#[derive(Debug)]
struct Generated {
    /// Each after the prefix of its symbols.
    sources: Vec<(String, String)>,
    /// The part of data in the names of markers.
    data: DataInMark,
}

/// Compiles programs in one run of the C compiler, and loads them. The result is in their order.
///
/// # Errors
/// There is no C compiler, it fails, or its object cannot be loaded.
pub fn compile(tasks: &[Task<'_>], settings: &Settings) -> Result<Vec<Loaded>, ToolchainError> {
    if tasks.is_empty() {
        return Ok(Vec::new());
    }
    prepare(tasks, settings)?.compile()
}

/// Prepares programs for the compiler, which is found and asked for its version.
///
/// # Errors
/// There is no C compiler.
pub fn prepare<'run>(tasks: &'run [Task<'run>], settings: &'run Settings) -> Result<Prepared<'run>, ToolchainError> {
    let begun = Instant::now();
    let search = Search::with_environment(settings.compiler.clone());
    let toolchain = Toolchain::find(&search, settings.time_limit.unwrap_or(DEFAULT_TIME_LIMIT))?;
    let cache = Cache::open(settings.cache);
    let makers = Makers::of(&toolchain, settings.optimisation);
    Ok(Prepared { tasks, settings, begun, toolchain, cache, makers, generated: OnceCell::new() })
}

impl Prepared<'_> {
    /// Returns the loaded programs, from the cache or compiled now.
    ///
    /// # Errors
    /// The programs have to be compiled, and they are too large for that, or it fails, or loading them does.
    pub fn compile(&self) -> Result<Vec<Loaded>, ToolchainError> {
        if let Some(object) = self.marked(|mark, makers| self.cache.marked(mark, makers)) {
            return Ok(loaded(object, self.tasks));
        }
        let object = self.with_job(|job| self.cache.object(&self.toolchain, job))??;
        self.leave_mark()?;
        Ok(loaded(object, self.tasks))
    }

    /// Returns the loaded programs if they are in the cache.
    ///
    /// # Errors
    /// The programs are too large for the compiler.
    pub fn cached(&self) -> Result<Option<Vec<Loaded>>, ToolchainError> {
        if let Some(object) = self.marked(|mark, makers| self.cache.marked(mark, makers)) {
            return Ok(Some(loaded(object, self.tasks)));
        }
        let Some(object) = self.with_job(|job| self.cache.cached(&self.toolchain, job))? else {
            // With the marker the next search would expect the object in vain.
            for mark in self.marks() {
                self.cache.remove(&mark);
            }
            return Ok(None);
        };
        self.leave_mark()?;
        Ok(Some(loaded(object, self.tasks)))
    }

    /// Returns the bytes of the object, from the cache or compiled now and stored there.
    ///
    /// # Errors
    /// The programs have to be compiled, and they are too large for that, or it fails.
    pub fn bytes(&self) -> Result<Vec<u8>, ToolchainError> {
        if let Some(bytes) = self.marked(|mark, makers| self.cache.marked_bytes(mark, makers)) {
            return Ok(bytes);
        }
        let bytes = self.with_job(|job| self.cache.bytes(&self.toolchain, job))??;
        self.leave_mark()?;
        Ok(bytes)
    }

    /// The cache markers of the program, if it is the only one, computed when they are needed.
    fn marks(&self) -> impl Iterator<Item = Mark> {
        let task = if let [task] = self.tasks { Some(*task) } else { None };
        let data = [DataInMark::Shapes, DataInMark::Texts].into_iter();
        data.filter_map(move |data| Some(self.mark(task?, data)))
    }

    fn mark(&self, task: Task<'_>, data: DataInMark) -> Mark {
        Mark::of(task, (self.settings.specialise, self.settings.passes), data)
    }

    /// Looks for what a marker names.
    fn marked<T>(&self, look: impl Fn(&Mark, &Makers) -> Option<T>) -> Option<T> {
        let makers = self.makers.as_ref()?;
        self.cache.folder()?;
        self.marks().find_map(|mark| look(&mark, makers))
    }

    fn leave_mark(&self) -> Result<(), ToolchainError> {
        let (Some(makers), [task], Some(_)) = (&self.makers, self.tasks, self.cache.folder()) else { return Ok(()) };
        let mark = self.mark(*task, self.generated()?.data);
        let key = self.with_job(|job| key_of(&self.toolchain, job))?;
        self.cache.leave(&mark, makers, &key);
        Ok(())
    }

    fn generated(&self) -> Result<&Generated, ToolchainError> {
        if let Some(generated) = self.generated.get() {
            return Ok(generated);
        }
        let prefixes: Vec<String> = (0..self.tasks.len()).map(prefix).collect();
        let Texts { texts, depends_on_data } = texts(self.tasks, &prefixes, self.settings, self.toolchain.family())?;
        let data = if depends_on_data { DataInMark::Texts } else { DataInMark::Shapes };
        let sources = prefixes.into_iter().zip(texts).collect();
        Ok(self.generated.get_or_init(|| Generated { sources, data }))
    }

    fn with_job<T>(&self, work: impl FnOnce(&Job<'_>) -> T) -> Result<T, ToolchainError> {
        let generated = self.generated()?;
        let texts = || generated.sources.iter().map(|(_, text)| text.as_str());
        let sources: Vec<Source<'_>> = generated.sources.iter().map(|(name, text)| Source { name, text }).collect();
        let headers = Headers::default();
        Ok(work(&Job {
            sources: &sources,
            headers: &headers.all(),
            optimisation: self.settings.optimisation.unwrap_or_else(|| optimisation_for(texts())),
            time_limit: match self.settings.time_limit {
                Some(limit) => limit.saturating_sub(self.begun.elapsed()),
                None => time_limit_for(texts().map(str::len).sum()),
            },
            memory_limit: self.settings.memory_limit,
        }))
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
