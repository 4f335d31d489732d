//! The command `vlad` as a process: built from the sources of this project, with a cache of its own.

use crate::fault;
use crate::workload::root;
use crate::yardstick::output_of;
use nix::sys::resource::{UsageWho, getrusage};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, io};

/// The command, freshly built.
#[derive(Clone, Debug)]
pub struct Vlad {
    executable: PathBuf,
}

/// A process of the command that exited successfully.
#[derive(Clone, Debug)]
pub struct Ran {
    /// The time from its start to its exit.
    pub time: Duration,
    /// The processor time of it and of the processes that it has waited for, which a busy machine changes little.
    pub work: Duration,
    /// Its standard output.
    pub output: String,
    /// Its standard error.
    pub told: String,
}

impl Vlad {
    /// Builds the command, so that the measurements are of the current sources, and finds it next to this program.
    ///
    /// # Errors
    /// Returns an error if it cannot be built, or if this program is not a release build.
    pub fn build() -> io::Result<Vlad> {
        if cfg!(debug_assertions) {
            return Err(fault("measurements are of release builds: cargo run --release"));
        }
        let this = env::current_exe()?;
        let target =
            this.parent().and_then(Path::parent).ok_or_else(|| fault("this program is in no target folder"))?;
        let cargo = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
        let mut build = Command::new(cargo);
        build.args(["build", "--release", "--quiet", "--package", "vlad", "--bin", "vlad", "--target-dir"]).arg(target);
        if !build.current_dir(root()).status()?.success() {
            return Err(fault("the command vlad cannot be built"));
        }
        Ok(Vlad { executable: target.join("release/vlad").with_extension(env::consts::EXE_EXTENSION) })
    }

    /// The command of another build.
    #[must_use]
    pub fn at(executable: PathBuf) -> Vlad {
        Vlad { executable }
    }

    /// Runs the command in the folder of the project, with a folder for its cache.
    ///
    /// # Errors
    /// Returns an error if it cannot be run, or does not exit successfully.
    pub fn run(&self, arguments: &[&OsStr], cache: &Path) -> io::Result<Ran> {
        self.run_on("", arguments, cache)
    }

    /// Runs the command in the same way, with an input.
    ///
    /// # Errors
    /// Returns an error if it cannot be run, or does not exit successfully.
    pub fn run_on(&self, input: &str, arguments: &[&OsStr], cache: &Path) -> io::Result<Ran> {
        ran(&self.executable, input, arguments, cache)
    }

    /// Builds the executable of a program, with a folder for the cache, and runs it with an input; it reports statistics.
    ///
    /// # Errors
    /// Returns an error if it cannot be built or run, or does not exit successfully.
    pub fn run_built(&self, text: &str, input: &str, cache: &Path) -> io::Result<Ran> {
        let program = cache.join("built").with_extension(env::consts::EXE_EXTENSION);
        let arguments =
            [OsStr::new("build"), OsStr::new("-e"), OsStr::new(text), OsStr::new("-o"), program.as_os_str()];
        self.run(&arguments, cache)?;
        ran(&program, input, &[OsStr::new("--stats")], cache)
    }
}

/// Runs an executable in the folder of the project.
fn ran(executable: &Path, input: &str, arguments: &[&OsStr], cache: &Path) -> io::Result<Ran> {
    let mut command = Command::new(executable);
    command.args(arguments).current_dir(root()).env("VLAD_CACHE", cache);
    let (start, before) = (Instant::now(), work_of_children()?);
    let output = output_of(&mut command, input)?;
    let (time, work) = (start.elapsed(), work_of_children()?.saturating_sub(before));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        let program = executable.display();
        return Err(fault(format!("{program} {arguments:?} ended with {}:\n{text}{told}", output.status)));
    }
    Ok(Ran { time, work, output: text, told })
}

/// The processor time of all processes that this one has started and that have ended.
fn work_of_children() -> io::Result<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let duration = |seconds: i64, microseconds: i64| {
        Duration::from_secs(seconds.unsigned_abs()) + Duration::from_micros(microseconds.unsigned_abs())
    };
    let (user, system) = (usage.user_time(), usage.system_time());
    Ok(duration(user.tv_sec(), user.tv_usec()) + duration(system.tv_sec(), system.tv_usec()))
}

impl Ran {
    /// A number from the report of `--stats`: the first word after a name such as `steps:`.
    ///
    /// # Errors
    /// Returns an error if the report has no such number.
    pub fn statistic(&self, name: &str) -> io::Result<f64> {
        let line = self.told.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        let word = line.and_then(|line| line.split_whitespace().next());
        word.and_then(|word| word.parse().ok()).ok_or_else(|| fault(format!("--stats told no {name}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics() {
        let told = "steps: 12\npeak memory: 3400 bytes\ntime: 0.5 s, after 0.1 s of loading\n".to_owned();
        let ran = Ran { time: Duration::ZERO, work: Duration::ZERO, output: String::new(), told };
        assert_eq!(ran.statistic("steps").unwrap(), 12.0);
        assert_eq!(ran.statistic("peak memory").unwrap(), 3400.0);
        assert_eq!(ran.statistic("time").unwrap(), 0.5);
        assert!(ran.statistic("peak").is_err());
    }
}
