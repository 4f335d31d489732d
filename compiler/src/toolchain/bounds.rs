//! What a compiler may take: time, which whoever waits for it looks at, and memory, which the system does.
//!
//! The limits of the system are those of each process, and a process hands them on to those that it starts: so they hold for
//! all programs that a compiler runs, from its first instruction on.
#![allow(unsafe_code)] // There is no safe way to do something in a new process before its program begins.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::Duration;

/// The limits of a run of a compiler.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// The time for all of it.
    pub time: Duration,
    /// The bytes of address space of each process, and the most bytes of a file that it writes; none for no limit.
    pub memory: Option<u64>,
}

/// Has the system hold a process that is going to have a part in compiling to what the compiler may take.
pub fn hold(command: &mut Command, memory: Option<u64>, time: Duration) {
    Bounds { time, memory }.hold_for(command);
}

impl Bounds {
    /// Has the system hold a command to its memory; and, for the case that nobody is left to wait for it, to its time.
    pub fn hold_for(self, command: &mut Command) {
        let Some(memory) = self.memory else { return };
        let seconds = self.time.as_secs().saturating_add(2);
        let limits = [(Resource::As, memory), (Resource::Fsize, memory), (Resource::Cpu, seconds), (Resource::Core, 0)];
        let limits = limits.map(|(resource, most)| {
            // What is not allowed to this process it cannot allow.
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
        // SAFETY: between fork and exec only the one thread is there, and locks may be held for ever. What runs here takes
        // none and allocates nothing: it makes system calls with numbers that were put together before. It is worth it:
        // limits that are set after the start come too late for what the compiler has started by then.
        unsafe { command.pre_exec(hold) };
    }
}
