//! Execution of a compiler: without input, in an environment of our own, with bounded output, time and memory; and the
//! end of all compilers with this process.

use super::ToolchainError;
use super::bounds::Bounds;
use super::error::shown;
use rustix::process::{Pid, Signal, getpid, kill_process_group, setpriority_pgrp, setpriority_process};
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitStatus};
use vlad_files::process::{self, OutputBound, Streams, Termination};
use vlad_table::internal_bug;

/// The maximal number of bytes of output that are kept.
const MOST_OUTPUT: usize = 1 << 16;

/// The nice value of a process that yields to all others (see [`lower_priority`]).
const LEAST_PRIORITY: i32 = 19;

/// The environment variables that a compiler gets: those that locate its parts, and none that changes the code it
/// makes. (`CFLAGS` has a meaning for make alone; `CPATH`, `C_INCLUDE_PATH`, `LIBRARY_PATH`, `GCC_EXEC_PREFIX`,
/// `LD_PRELOAD` and the like would change the compiled code.)
const PASSED_ON: [&str; 6] = ["PATH", "HOME", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SDKROOT", "DEVELOPER_DIR"];

/// A run of a compiler that ended by itself.
pub(super) struct Finished {
    pub status: ExitStatus,
    /// The beginning of its output, standard output and error together.
    pub output: String,
}

impl Finished {
    /// The exit status, for a message.
    pub fn ending(&self) -> String {
        self.status.to_string()
    }
}

/// Runs a program in a folder and waits until it has ended.
///
/// # Errors
/// It cannot be started, or has not ended after the limit.
pub(super) fn run(
    program: &Path,
    arguments: &[&OsStr],
    folder: &Path,
    bounds: Bounds,
) -> Result<Finished, ToolchainError> {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).env_clear();
    for name in PASSED_ON {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    // The language of messages, and the folder for the compiler's own temporary files: the one it works in, under a
    // name that is plain whatever the path of that folder is.
    command.env("LC_ALL", "C").env("TMPDIR", ".");
    bounds.hold_for(&mut command);
    let bound = OutputBound::discarding(MOST_OUTPUT);
    let limits = process::Bounds { time: bounds.time, output: bound, errors: bound };
    let finished = process::run(command, &[], Streams::Together, limits)
        .map_err(|fault| ToolchainError::CannotStart { compiler: program.to_owned(), reason: fault.to_string() })?;
    // Invalid bytes, such as those of a character cut at the bound, are replaced.
    let output = String::from_utf8_lossy(&finished.output).into_owned();
    match finished.ending {
        Termination::Exited(status) => Ok(Finished { status, output }),
        Termination::TimedOut => {
            Err(ToolchainError::TimedOut { compiler: program.to_owned(), limit: bounds.time, output })
        }
        Termination::PrintedTooMuch => internal_bug!("output of a compiler beyond its bound is discarded"),
    }
}

/// Ends all programs that this process has started as leaders of their own process groups - compilers and all others
/// that are run like them - with their groups. It is called at the exit of a process whose other threads may be waiting
/// for such programs, which ends their waiting. It does nothing if the system does not list processes.
pub(super) fn end_children() {
    for group in groups_of_children() {
        // A group that cannot be ended has ended by itself.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// Gives this process, and all programs that `end_children` would end, the lowest priority.
pub fn lower_priority() {
    let _ = setpriority_process(None, LEAST_PRIORITY);
    for group in groups_of_children() {
        // A group whose priority cannot be set has ended.
        let _ = setpriority_pgrp(Some(group), LEAST_PRIORITY);
    }
}

/// The process groups led by children of this process; none where the system does not list processes.
fn groups_of_children() -> Vec<Pid> {
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    let own = getpid();
    let led = |process: fs::DirEntry| {
        // An entry that is no process, or a process that has ended, has no such file.
        let stat = fs::read_to_string(process.path().join("stat")).ok()?;
        group_led_by_child(&stat, own)
    };
    processes.flatten().filter_map(led).collect()
}

/// Returns the process group that a process leads, if it is a child of this process that leads one. `stat` is the
/// system's line about it, `NUMBER (NAME) STATE PARENT GROUP ...`, in which the name may contain anything.
fn group_led_by_child(stat: &str, own: Pid) -> Option<Pid> {
    let (number, _) = stat.split_once(' ')?;
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace().skip(1);
    let (parent, group) = (fields.next()?, fields.next()?);
    let is_child = parent.parse().ok().and_then(Pid::from_raw) == Some(own);
    if is_child && group == number { Pid::from_raw(group.parse().ok()?) } else { None }
}

/// Returns the first line of a text that is not empty, in plain characters, cut to 200 of them.
pub(super) fn first_line(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    shown(&line.chars().take(200).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_children_are_known() {
        let own = Pid::from_raw(7).unwrap();
        let led = |stat: &str| group_led_by_child(stat, own).map(|group| group.as_raw_nonzero().get());
        assert_eq!(led("12 (cc) S 7 12 12 0 -1"), Some(12));
        assert_eq!(led("12 (a) S 7 12 (b) R 7 12 12 0"), Some(12));
        for other in ["12 (cc) S 8 12 12", "12 (cc) S 7 7 7", "12 (7 12) S 1 1 1", "12 (cc) S 7", "cc", ""] {
            assert_eq!(led(other), None, "{other}");
        }
    }
}
