//! The processes of a campaign: how one is ended, and how an exit is described.

use std::io;
use std::process::{Child, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

/// The time after which a case that runs alone counts as hanging.
pub const PATIENCE_WITH_A_CASE: Duration = Duration::from_secs(3 * 60);

/// The time in which a worker is to end the processes that it has started, and itself.
const PATIENCE_WITH_AN_END: Duration = Duration::from_secs(2);

/// The pause between two checks of whether it has ended.
const PAUSE: Duration = Duration::from_millis(10);

/// Ends a worker: closes its input, and kills it if that does not suffice.
pub fn end(child: &mut Child) -> io::Result<()> {
    drop(child.stdin.take());
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE_WITH_AN_END {
        if child.try_wait()?.is_some() {
            return Ok(());
        }
        thread::sleep(PAUSE);
    }
    child.kill()
}

/// Describes the exit of a process that failed.
pub fn describe_exit(status: ExitStatus) -> String {
    status.code().map_or_else(|| status.to_string(), |code| format!("it ends with code {code}"))
}
