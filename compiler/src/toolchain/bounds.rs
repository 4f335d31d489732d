//! Limits of a compiler run: time, enforced by the caller that waits for it, and memory, enforced by the system.
//!
//! The system's limits apply to each process, and a process passes them on to those that it starts: so they hold for
//! all programs that a compiler runs, from their first instruction on.
#![allow(unsafe_code)] // There is no safe way to do something in a new process before its program begins.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::Duration;

/// The limits of a compiler run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// The time for the whole run.
    pub time: Duration,
    /// The limit in bytes on the address space of each process, and on the size of each file that it writes; none for
    /// no limit.
    pub memory: Option<u64>,
}

/// Sets the system's limits for a command that takes part in compiling.
pub fn hold(command: &mut Command, memory: Option<u64>, time: Duration) {
    Bounds { time, memory }.hold_for(command);
}

impl Bounds {
    /// Sets the system's limits for a command: its memory, and its processor time in case nobody is left to wait for
    /// it.
    pub fn hold_for(self, command: &mut Command) {
        let Some(memory) = self.memory else { return };
        let seconds = self.time.as_secs().saturating_add(2);
        let limits = [(Resource::As, memory), (Resource::Fsize, memory), (Resource::Cpu, seconds), (Resource::Core, 0)];
        let limits = limits.map(|(resource, most)| {
            // A process cannot raise the limits that it has itself.
            let allowed = getrlimit(resource).maximum.unwrap_or(u64::MAX);
            let most = Some(most.min(allowed));
            (resource, Rlimit { current: most, maximum: most })
        });
        let hold = move || {
            for (resource, limit) in &limits {
                setrlimit(*resource, *limit)?;
            }
            Ok(())
        };
        // SAFETY: between fork and exec only this one thread exists, and locks may be held for ever. The closure takes
        // no lock and allocates nothing: it makes system calls with numbers that were computed before. It is worth it:
        // limits that are set after the start come too late for the processes that the compiler has started by then.
        unsafe { command.pre_exec(hold) };
    }
}
