//! Execution of an external program on some input, with limits on its time and its output.
//!
//! Invariant: whatever the program does - not read its input, print without end, hang, start processes that outlive it -
//! the call returns soon after the time limit at the latest, and the program and the processes in its group are killed.

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};
use vlad_files::ending::before_the_end;

/// The most bytes of an output that are kept; a program that prints more is killed.
const MOST_OUTPUT: u64 = 64 << 20;

/// The time to wait for the outputs of a killed program to be closed.
const AFTERMATH: Duration = Duration::from_millis(500);

/// The result of a program.
#[derive(Debug)]
pub struct Finished {
    /// Its termination.
    pub ending: Ending,
    /// Its standard output, as far as it was kept.
    pub output: Vec<u8>,
    /// Its standard error, as far as it was kept.
    pub errors: Vec<u8>,
}

/// The termination of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By itself, with an exit code.
    Code(i32),
    /// By a signal that was not sent from here.
    Signal(i32),
    /// It took too long.
    TimedOut,
    /// It printed too much.
    PrintedTooMuch,
}

/// Runs a program with arguments on an input.
///
/// # Errors
/// Returns the error of the system if the program cannot be started.
pub fn run(program: &OsString, arguments: &[OsString], input: Vec<u8>, limit: Duration) -> io::Result<Finished> {
    let begun = Instant::now();
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = before_the_end(|| command.spawn())?;
    let too_much = Arc::new(AtomicBool::new(false));
    if let Some(mut stdin) = child.stdin.take() {
        // A program need not read all of its input, or any.
        in_background(move || {
            let _ = stdin.write_all(&input);
        });
    }
    let output = child.stdout.take().map(|stream| kept(stream, &too_much));
    let errors = child.stderr.take().map(|stream| kept(stream, &too_much));
    let forced = wait(&child, begun, limit, &too_much);
    // Processes that the program started may hold its outputs open, and are of no use any more.
    let _ = kill_process_group(Pid::from_child(&child), Signal::KILL);
    let ending = match forced {
        Some(ending) => ending,
        None => ending(child.wait()?),
    };
    // A killed program is waited for, too, or it would remain as a zombie.
    let _ = child.wait();
    let received = |stream: Option<Receiver<Vec<u8>>>| {
        stream.and_then(|stream| stream.recv_timeout(AFTERMATH).ok()).unwrap_or_default()
    };
    let (output, errors) = (received(output), received(errors));
    let ending = if too_much.load(Ordering::Relaxed) { Ending::PrintedTooMuch } else { ending };
    Ok(Finished { ending, output, errors })
}

/// Runs a closure in a thread of its own. If no thread can be had it is not run, and the program ends by its time limit.
fn in_background(work: impl FnOnce() + Send + 'static) {
    let _ = thread::Builder::new().name("external".to_owned()).spawn(work);
}

/// Collects the bytes of a stream, and sets the flag if there are too many.
fn kept(stream: impl Read + Send + 'static, too_much: &Arc<AtomicBool>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    let too_much = Arc::clone(too_much);
    in_background(move || {
        let mut bytes = Vec::new();
        // Bytes that were read before an error are still of use.
        let _ = stream.take(MOST_OUTPUT + 1).read_to_end(&mut bytes);
        if bytes.len() as u64 > MOST_OUTPUT {
            too_much.store(true, Ordering::Relaxed);
        }
        let _ = sender.send(bytes);
    });
    receiver
}

/// Waits for the exit of a program, polling less often the longer it takes. Returns none if it exited by itself; it is not
/// reaped here, so that its process id stays reserved until its group is killed.
fn wait(child: &Child, begun: Instant, limit: Duration, too_much: &AtomicBool) -> Option<Ending> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let mut pause = Duration::from_micros(200);
    loop {
        // If the system cannot report on the program, the limits apply.
        let asked = waitid(WaitId::Pid(Pid::from_child(child)), options);
        if matches!(asked, Ok(Some(_))) {
            return None;
        }
        let left = limit.saturating_sub(begun.elapsed());
        if left.is_zero() {
            return Some(Ending::TimedOut);
        }
        if too_much.load(Ordering::Relaxed) {
            return Some(Ending::PrintedTooMuch);
        }
        thread::sleep(pause.min(left));
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}

fn ending(status: ExitStatus) -> Ending {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ending::Code(code),
        (None, Some(signal)) => Ending::Signal(signal),
        (None, None) => Ending::Code(-1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, input: &[u8], limit: Duration) -> Finished {
        run(&"sh".into(), &["-c".into(), script.into()], input.to_vec(), limit).unwrap()
    }

    #[test]
    fn streams_and_codes_are_told() {
        let finished = shell("cat; echo oops >&2; exit 3", b"1 2", Duration::from_secs(20));
        assert_eq!(
            (finished.ending, finished.output, finished.errors),
            (Ending::Code(3), b"1 2".into(), b"oops\n".into())
        );
        assert_eq!(shell("kill -9 $$", b"", Duration::from_secs(20)).ending, Ending::Signal(9));
        assert!(run(&"/nowhere/at/all".into(), &[], vec![], Duration::from_secs(1)).is_err());
    }

    #[test]
    fn input_need_not_be_read() {
        let finished = shell("exit 0", &vec![b' '; 1 << 22], Duration::from_secs(20));
        assert_eq!(finished.ending, Ending::Code(0));
    }

    #[test]
    fn time_and_output_are_limited() {
        let begun = Instant::now();
        let finished = shell("echo 1; sleep 100 & wait", b"", Duration::from_millis(200));
        assert_eq!((finished.ending, finished.output), (Ending::TimedOut, b"1\n".into()));
        assert_eq!(shell("sleep 100 & exit 0", b"", Duration::from_secs(20)).ending, Ending::Code(0));
        assert_eq!(shell("yes", b"", Duration::from_secs(60)).ending, Ending::PrintedTooMuch);
        assert!(begun.elapsed() < Duration::from_secs(30));
    }
}
