//! Finding the C compiler: the user's explicit choice, `VLAD_CC`, `CC`, and the usual names on the search path.
//!
//! A value is one program, by a path (anything with a slash) or by a name on the search path; blanks in it are part of
//! it, and it brings no arguments. A compiler that the user has named for VLAD is the only one considered; a `CC` that is
//! not one program (`ccache gcc`, `gcc -m32`) is meant for builds that take its arguments too, and is passed over, so that
//! no flag comes in that way. The usual names are those that the crate `cc` takes on these systems; its own search is not
//! used, because it runs the compiler three times, without a limit on time, and takes flags from the environment.

use super::bounds::Bounds;
use super::error::{Attempt, shown_path};
use super::process::{self, first_line};
use super::{Family, Identity, Toolchain, ToolchainError};
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The names that are looked for when nobody has chosen.
const USUAL_NAMES: [&str; 3] = ["cc", "gcc", "clang"];

/// The search path where the environment has none.
const USUAL_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// The most time that a compiler has to tell its version.
const TIME_FOR_VERSION: Duration = Duration::from_secs(10);

/// Who chose a compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The user, for this run: `--cc`.
    Option,
    /// The variable `VLAD_CC`.
    VladVariable,
    /// The variable `CC`.
    Variable,
    /// Nobody: it has one of the usual names.
    Usual,
}

impl Choice {
    /// What the user calls it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Choice::Option => "--cc",
            Choice::VladVariable => "VLAD_CC",
            Choice::Variable => "CC",
            Choice::Usual => "search path",
        }
    }
}

/// All that decides which compiler is found. An empty variable counts as none.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// The explicit choice for this run.
    pub option: Option<OsString>,
    /// The variable `VLAD_CC`.
    pub vlad_variable: Option<OsString>,
    /// The variable `CC`.
    pub variable: Option<OsString>,
    /// The search path; none means the usual one.
    pub path: Option<OsString>,
}

impl Search {
    /// A search with the variables of the process's environment.
    #[must_use]
    pub fn with_environment(option: Option<OsString>) -> Search {
        let variable = |name| env::var_os(name).filter(|value| !value.is_empty());
        Search { option, vlad_variable: variable("VLAD_CC"), variable: variable("CC"), path: env::var_os("PATH") }
    }

    /// Where a name leads.
    fn locate(&self, name: &OsStr) -> Result<PathBuf, String> {
        if name.as_bytes().contains(&b'/') {
            return runnable(Path::new(name));
        }
        if name.is_empty() {
            return Err("an empty name".to_owned());
        }
        let usual = OsStr::new(USUAL_PATH);
        env::split_paths(self.path.as_deref().unwrap_or(usual))
            .find_map(|folder| runnable(&folder.join(name)).ok())
            .ok_or_else(|| "not on the search path".to_owned())
    }

    /// The compiler that is there, with who chose it; it is not asked anything.
    ///
    /// # Errors
    /// There is none.
    pub fn place(&self) -> Result<(Choice, PathBuf), ToolchainError> {
        let mut attempts = Vec::new();
        for (choice, name) in self.candidates() {
            match self.locate(name) {
                Ok(program) => return Ok((choice, program)),
                Err(found) => attempts.push(Attempt { looked_for: looked_for(choice, name), found }),
            }
        }
        Err(ToolchainError::NotFound { attempts })
    }

    /// The places to look at, in order, with who chose them.
    fn candidates(&self) -> Vec<(Choice, &OsStr)> {
        if let Some(name) = &self.option {
            return vec![(Choice::Option, name)];
        }
        if let Some(name) = &self.vlad_variable {
            return vec![(Choice::VladVariable, name)];
        }
        let variable = self.variable.iter().map(|name| (Choice::Variable, name.as_os_str()));
        variable.chain(USUAL_NAMES.map(|name| (Choice::Usual, OsStr::new(name)))).collect()
    }
}

/// The absolute path of a file that may be run.
fn runnable(path: &Path) -> Result<PathBuf, String> {
    let metadata = fs::metadata(path).map_err(|fault| fault.to_string())?;
    if !metadata.is_file() {
        return Err("not a file".to_owned());
    }
    if metadata.permissions().mode() & 0o111 == 0 {
        return Err("not an executable file".to_owned());
    }
    // The compiler runs in another folder than this process.
    std::path::absolute(path).map_err(|fault| fault.to_string())
}

impl Toolchain {
    /// Finds the compiler and asks it for its version, which must not take longer than the limit.
    ///
    /// # Errors
    /// There is none, or the one that was chosen cannot be started or does not answer.
    pub fn find(search: &Search, limit: Duration) -> Result<Toolchain, ToolchainError> {
        let (choice, program) = search.place()?;
        identify(program, choice, limit.min(TIME_FOR_VERSION))
    }
}

fn looked_for(choice: Choice, name: &OsStr) -> String {
    let name = shown_path(Path::new(name));
    match choice {
        Choice::Option | Choice::VladVariable | Choice::Variable => format!("{name} (from {})", choice.name()),
        Choice::Usual => name,
    }
}

/// Tells what compiler this is. One that fails when asked for its version may compile all the same.
fn identify(program: PathBuf, choice: Choice, limit: Duration) -> Result<Toolchain, ToolchainError> {
    let cannot_start =
        |fault: std::io::Error| ToolchainError::CannotStart { compiler: program.clone(), reason: fault.to_string() };
    let file = fs::canonicalize(&program).map_err(cannot_start)?;
    let metadata = fs::metadata(&file).map_err(cannot_start)?;
    let begun = Instant::now();
    let answer = ask(&program, "--version", limit)?;
    let answer = if answer.is_empty() { ask(&program, "-v", limit.saturating_sub(begun.elapsed()))? } else { answer };
    let identity =
        Identity { file, bytes: metadata.len(), modified: metadata.modified().ok(), version: first_line(&answer) };
    let family = match Family::by_version(&answer) {
        Family::Unknown => Family::by_name(&program),
        known => known,
    };
    Ok(Toolchain { program, choice, family, identity })
}

/// What a compiler prints for one flag; nothing if it reports failure.
fn ask(program: &Path, flag: &str, limit: Duration) -> Result<String, ToolchainError> {
    let finished = process::run(program, &[OsStr::new(flag)], Path::new("/"), Bounds { time: limit, memory: None })?;
    Ok(if finished.status.success() { finished.output } else { String::new() })
}
