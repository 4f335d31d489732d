//! Search for the C compiler: the user's explicit choice, `VLAD_CC`, `CC`, and the usual names on the search path.
//!
//! Each setting names one program, by a path (anything with a slash) or by a name on the search path; blanks are part
//! of the name, and there are no arguments. A compiler that the user has named for VLAD is the only candidate. A `CC`
//! that is not one program (`ccache gcc`, `gcc -m32`) is meant for builds that take its arguments too, and is skipped,
//! so that no flag comes in that way. The usual names are those that the crate `cc` takes on these systems; its own
//! search is not used, because it runs the compiler three times, without a time limit, and takes flags from the
//! environment.

use super::bounds::Bounds;
use super::error::{Attempt, shown_path};
use super::process::{self, first_line};
use super::{Family, Identity, Toolchain, ToolchainError};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs};

/// The names that are looked for if no setting names a compiler.
const USUAL_NAMES: [&str; 3] = ["cc", "gcc", "clang"];

/// The search path if the environment has none.
const USUAL_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// The maximal time for a compiler to report its version.
const TIME_FOR_VERSION: Duration = Duration::from_secs(10);

/// The setting that selected a compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompilerSetting {
    /// The option of this run: `--cc`.
    Option,
    /// The variable `VLAD_CC`.
    VladVariable,
    /// The variable `CC`.
    Variable,
    /// None: it has one of the usual names.
    Usual,
}

impl CompilerSetting {
    /// The name of the setting for the user.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            CompilerSetting::Option => "--cc",
            CompilerSetting::VladVariable => "VLAD_CC",
            CompilerSetting::Variable => "CC",
            CompilerSetting::Usual => "search path",
        }
    }
}

/// The settings that determine which compiler is found. An empty variable counts as none.
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

    /// Resolves a name to the path of an executable file, or returns the reason why it cannot.
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

    /// Finds a compiler, and the setting that selected it, without running it.
    ///
    /// # Errors
    /// No candidate can be run; all attempts.
    pub fn place(&self) -> Result<(CompilerSetting, PathBuf), ToolchainError> {
        let mut attempts = Vec::new();
        for (choice, name) in self.candidates() {
            match self.locate(name) {
                Ok(program) => return Ok((choice, program)),
                Err(found) => attempts.push(Attempt { looked_for: looked_for(choice, name), found }),
            }
        }
        Err(ToolchainError::NotFound { attempts })
    }

    /// The names to look for, in order, with the settings that gave them.
    fn candidates(&self) -> Vec<(CompilerSetting, &OsStr)> {
        if let Some(name) = &self.option {
            return vec![(CompilerSetting::Option, name)];
        }
        if let Some(name) = &self.vlad_variable {
            return vec![(CompilerSetting::VladVariable, name)];
        }
        let variable = self.variable.iter().map(|name| (CompilerSetting::Variable, name.as_os_str()));
        variable.chain(USUAL_NAMES.map(|name| (CompilerSetting::Usual, OsStr::new(name)))).collect()
    }
}

/// Returns the absolute path of an executable file, or the reason why it is none.
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
    /// Finds the compiler and asks it for its version, within a time limit.
    ///
    /// # Errors
    /// There is none, or the one that was found cannot be started or does not answer in time.
    pub fn find(search: &Search, limit: Duration) -> Result<Toolchain, ToolchainError> {
        let (choice, program) = search.place()?;
        identify(program, choice, limit.min(TIME_FOR_VERSION))
    }
}

fn looked_for(choice: CompilerSetting, name: &OsStr) -> String {
    let name = shown_path(Path::new(name));
    match choice {
        CompilerSetting::Option | CompilerSetting::VladVariable | CompilerSetting::Variable => {
            format!("{name} (from {})", choice.name())
        }
        CompilerSetting::Usual => name,
    }
}

/// Determines the identity and the family of a compiler. One that cannot report its version may compile all the same.
fn identify(program: PathBuf, choice: CompilerSetting, limit: Duration) -> Result<Toolchain, ToolchainError> {
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

/// Returns the output of a compiler for one flag; nothing if it reports failure.
fn ask(program: &Path, flag: &str, limit: Duration) -> Result<String, ToolchainError> {
    let finished = process::run(program, &[OsStr::new(flag)], Path::new("/"), Bounds { time: limit, memory: None })?;
    Ok(if finished.status.success() { finished.output } else { String::new() })
}
