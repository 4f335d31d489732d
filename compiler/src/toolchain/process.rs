//! Execution of a compiler: without a shell or input, in an environment of our own, with bounded output and time.
//!
//! The compiler leads a process group, so that ending it also ends the programs that it has started. This is done however
//! its run ends, even if it succeeds and leaves a program running. Its standard output and error are one pipe, which the
//! waiting thread reads: output beyond the bound is read and discarded, so that a compiler which prints without end neither
//! fills the memory nor blocks for want of a reader.

use super::ToolchainError;
use super::bounds::Bounds;
use super::error::shown;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, getpid, kill_process_group, setpriority_pgrp, setpriority_process, waitid,
};
use std::ffi::OsStr;
use std::io::{self, PipeReader, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};
use vlad_files::ending::before_the_end;

/// The maximal number of bytes of output that are kept.
const MOST_OUTPUT: usize = 1 << 16;

/// The interval between two checks for the end of a compiler while its pipe is open; another process may keep it open.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// The nice value of a process that yields to all others (see [`step_back`]).
const LEAST_PRIORITY: i32 = 19;

/// The interval between two checks for the end of a compiler that has closed its output.
const SHORT: Duration = Duration::from_millis(1);

/// The environment variables that a compiler gets: those that locate its parts, and none that changes the code it makes.
/// (`CFLAGS` has a meaning for make alone; `CPATH`, `C_INCLUDE_PATH`, `LIBRARY_PATH`, `GCC_EXEC_PREFIX`, `LD_PRELOAD` and
/// the like would change the compiled code.)
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
    let cannot_start =
        |fault: io::Error| ToolchainError::CannotStart { compiler: program.to_owned(), reason: fault.to_string() };
    let (pipe, child) = start(program, arguments, folder, bounds).map_err(cannot_start)?;
    let mut running = Running { child, pipe, output: Vec::new(), deadline: Instant::now().checked_add(bounds.time) };
    let attended = running.attend();
    let ended = running.end();
    match (attended, ended) {
        (Ok(WaitResult::Ended), Ok(status)) => Ok(Finished { status, output: text(&running.output) }),
        (Ok(WaitResult::TimedOut), _) => {
            let output = text(&running.output);
            Err(ToolchainError::TimedOut { compiler: program.to_owned(), limit: bounds.time, output })
        }
        (Err(fault), _) | (Ok(WaitResult::Ended), Err(fault)) => Err(cannot_start(fault)),
    }
}

/// Ends all programs that this process has started as leaders of their own process groups - compilers and all others that
/// are run like them - with their groups. It is called at the exit of a process whose other threads may be waiting for such
/// programs, which ends their waiting. Where the system does not list processes it does nothing.
pub(super) fn end_children() {
    for group in groups_of_children() {
        // A group that cannot be ended has ended by itself.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// Gives this process, and all programs that `end_children` would end, the lowest priority.
pub fn step_back() {
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

/// Returns the process group that a process leads, if it is a child of this process that leads one. `stat` is the system's
/// line about it, `NUMBER (NAME) STATE PARENT GROUP ...`, in which the name may contain anything.
fn group_led_by_child(stat: &str, own: Pid) -> Option<Pid> {
    let (number, _) = stat.split_once(' ')?;
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace().skip(1);
    let (parent, group) = (fields.next()?, fields.next()?);
    let is_child = parent.parse().ok().and_then(Pid::from_raw) == Some(own);
    if is_child && group == number { Pid::from_raw(group.parse().ok()?) } else { None }
}

/// Starts the program. Returns the reading end of the pipe that receives its output.
fn start(program: &Path, arguments: &[&OsStr], folder: &Path, bounds: Bounds) -> io::Result<(PipeReader, Child)> {
    let (pipe, writer) = io::pipe()?;
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
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer).process_group(0);
    bounds.hold_for(&mut command);
    // A program started after `end_children` would survive the exit of this process.
    let child = before_the_end(|| command.spawn())?;
    Ok((pipe, child))
}

/// The output as text. Invalid bytes, such as those of a character cut at the bound, are replaced.
fn text(output: &[u8]) -> String {
    String::from_utf8_lossy(output).into_owned()
}

struct Running {
    child: Child,
    pipe: PipeReader,
    output: Vec<u8>,
    /// The end of its time; none if that exceeds the range of the clock.
    deadline: Option<Instant>,
}

/// The reason why waiting for a compiler ends.
enum WaitResult {
    /// It has ended.
    Ended,
    /// Its time is up.
    TimedOut,
}

impl Running {
    /// Reads the output of the compiler until it has ended or its time is up. The compiler is still to be reaped after that,
    /// since its number and that of its group remain its own only until then.
    fn attend(&mut self) -> io::Result<WaitResult> {
        let mut open = true;
        loop {
            if self.has_ended()? {
                // The rest of the output in the pipe, up to the bound: a program left running by the compiler may print more.
                while open && self.output.len() < MOST_OUTPUT && self.readable(Duration::ZERO)? {
                    open = self.take()?;
                }
                return Ok(WaitResult::Ended);
            }
            let left = self.deadline.map_or(BETWEEN_LOOKS, |end| end.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                return Ok(WaitResult::TimedOut);
            }
            if open {
                if self.readable(left.min(BETWEEN_LOOKS))? {
                    open = self.take()?;
                }
            } else {
                thread::sleep(left.min(SHORT));
            }
        }
    }

    /// Returns true if the compiler has ended; it is not reaped.
    fn has_ended(&self) -> io::Result<bool> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match waitid(WaitId::Pid(Pid::from_child(&self.child)), options) {
            Ok(ended) => Ok(ended.is_some()),
            Err(Errno::INTR) => Ok(false),
            Err(fault) => Err(fault.into()),
        }
    }

    /// Waits until the pipe has something to read or is closed, for at most the given time, which is less than a second.
    fn readable(&self, time: Duration) -> io::Result<bool> {
        let time = Timespec { tv_sec: 0, tv_nsec: i64::from(time.subsec_nanos()) };
        match poll(&mut [PollFd::new(&self.pipe, PollFlags::IN)], Some(&time)) {
            Ok(ready) => Ok(ready > 0),
            Err(Errno::INTR) => Ok(false),
            Err(fault) => Err(fault.into()),
        }
    }

    /// Reads one piece of output. Returns false at the end of the output.
    fn take(&mut self) -> io::Result<bool> {
        let mut piece = [0; 1 << 14];
        let size = match self.pipe.read(&mut piece) {
            Ok(size) => size,
            Err(fault) if fault.kind() == io::ErrorKind::Interrupted => return Ok(true),
            Err(fault) => return Err(fault),
        };
        let room = MOST_OUTPUT.saturating_sub(self.output.len());
        self.output.extend(piece.iter().take(size.min(room)));
        Ok(size > 0)
    }

    /// Ends the compiler, if it has not ended, and all programs in its group, and reaps it.
    fn end(&mut self) -> io::Result<ExitStatus> {
        // A group that cannot be ended has ended by itself.
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        self.child.wait()
    }
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
