//! Execution of another program: with bounded output and time, without a shell.
//!
//! The program leads a process group, so that ending it also ends the programs that it has started. This is done
//! however its run ends, even if it succeeds and leaves a program running. One thread writes its input and reads its
//! outputs, none of which blocks, so a program that does not read, prints without end or hangs costs neither memory nor
//! more than its time.

use crate::ending::before_the_end;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The longest interval between two checks for the end of a program; a pipe that is ready ends it early.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// The interval between two checks for the end of a program whose pipes are closed.
const SHORT: Duration = Duration::from_millis(1);

/// The bounds of a run.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The time.
    pub time: Duration,
    /// The bound of its standard output, with its standard error if they are together.
    pub output: OutputBound,
    /// The bound of its standard error, if that is apart.
    pub errors: OutputBound,
}

/// The bound of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputBound {
    /// The number of bytes that are kept; further ones are read and discarded.
    pub kept: usize,
    /// The number of bytes beyond which the program is ended, if there is one.
    pub most: Option<u64>,
}

impl OutputBound {
    /// So many bytes are kept; output beyond that ends the program.
    pub fn fatal(most: usize) -> OutputBound {
        OutputBound { kept: most, most: Some(most as u64) }
    }

    /// So many bytes are kept, of any number.
    pub fn discarding(kept: usize) -> OutputBound {
        OutputBound { kept, most: None }
    }
}

/// The arrangement of standard output and standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Streams {
    /// Both are one pipe, in the order of writing.
    Together,
    /// Each is a pipe of its own.
    Apart,
}

/// The result of a run.
#[derive(Debug)]
pub struct Finished {
    /// Its termination.
    pub ending: Termination,
    /// Its standard output, and its standard error if they are together, as far as they were kept.
    pub output: Vec<u8>,
    /// Its standard error, if that is apart, as far as it was kept.
    pub errors: Vec<u8>,
}

/// The termination of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Termination {
    /// By itself, or by a signal that was not sent from here.
    Exited(ExitStatus),
    /// Its time was up.
    TimedOut,
    /// It printed more than it may.
    PrintedTooMuch,
}

/// Runs a command on an input and waits until it has ended, or has reached a bound and been ended. Standard streams and
/// process group of the command are set here.
///
/// # Errors
/// The program cannot be started or waited for.
pub fn run(mut command: Command, input: &[u8], streams: Streams, bounds: Bounds) -> io::Result<Finished> {
    let (output, writer) = io::pipe()?;
    let (errors, error_writer) = match streams {
        Streams::Together => (None, writer.try_clone()?),
        Streams::Apart => io::pipe().map(|(errors, writer)| (Some(errors), writer))?,
    };
    let stdin = if input.is_empty() { (Stdio::null(), None) } else { io::pipe().map(|(r, w)| (r.into(), Some(w)))? };
    if let Some(pipe) = &stdin.1 {
        does_not_block(pipe)?;
    }
    command.stdin(stdin.0).stdout(writer).stderr(error_writer).process_group(0);
    // A program started after `ending::leave` would survive the exit of this process.
    let child = before_the_end(|| command.spawn())?;
    // The command holds the other ends of the pipes.
    drop(command);
    let mut running = Running {
        child,
        input: stdin.1.map(|pipe| (pipe, input)),
        outputs: [(Some(output), bounds.output), (errors, bounds.errors)].map(|(pipe, bound)| Collected {
            pipe,
            bytes: Vec::new(),
            read: 0,
            bound,
        }),
        deadline: Instant::now().checked_add(bounds.time),
    };
    let forced = running.attend();
    let ended = running.end();
    let [output, errors] = running.outputs.map(|collected| collected.bytes);
    let ending = match forced? {
        Some(ending) => ending,
        None => Termination::Exited(ended?),
    };
    Ok(Finished { ending, output, errors })
}

fn does_not_block(pipe: impl AsFd) -> io::Result<()> {
    let flags = fcntl_getfl(&pipe)?;
    Ok(fcntl_setfl(&pipe, flags | OFlags::NONBLOCK)?)
}

struct Running<'input> {
    child: Child,
    /// The pipe of its standard input, while there is more to write.
    input: Option<(PipeWriter, &'input [u8])>,
    outputs: [Collected; 2],
    /// The end of its time; none if that exceeds the range of the clock.
    deadline: Option<Instant>,
}

/// An output as far as it has been read.
struct Collected {
    /// The pipe, until it is closed.
    pipe: Option<PipeReader>,
    /// The bytes that are kept.
    bytes: Vec<u8>,
    /// The number of all bytes.
    read: u64,
    bound: OutputBound,
}

impl Running<'_> {
    /// Moves data until the program has ended (none) or has reached a bound. It is still to be reaped after that, since
    /// its number and that of its group remain its own only until then.
    fn attend(&mut self) -> io::Result<Option<Termination>> {
        loop {
            if self.has_ended()? {
                // The rest of the output in the pipes, up to the bound: a program left running may print more.
                let mut before = self.progress();
                while self.move_data(Duration::ZERO)? && before != self.progress() {
                    before = self.progress();
                }
                return Ok(self.excess());
            }
            if let Some(ending) = self.excess() {
                return Ok(Some(ending));
            }
            let left = self.deadline.map_or(BETWEEN_LOOKS, |end| end.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                return Ok(Some(Termination::TimedOut));
            }
            let is_open = self.input.is_some() || self.outputs.iter().any(|output| output.pipe.is_some());
            if is_open {
                self.move_data(left.min(BETWEEN_LOOKS))?;
            } else {
                thread::sleep(left.min(SHORT));
            }
        }
    }

    /// The numbers of bytes kept, and the pipes that are closed.
    fn progress(&self) -> [(usize, bool); 2] {
        self.outputs.each_ref().map(|output| (output.bytes.len(), output.pipe.is_none()))
    }

    fn excess(&self) -> Option<Termination> {
        let exceeds = |output: &Collected| output.bound.most.is_some_and(|most| output.read > most);
        self.outputs.iter().any(exceeds).then_some(Termination::PrintedTooMuch)
    }

    /// Returns true if the program has ended; it is not reaped.
    fn has_ended(&self) -> io::Result<bool> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match waitid(WaitId::Pid(Pid::from_child(&self.child)), options) {
            Ok(ended) => Ok(ended.is_some()),
            Err(Errno::INTR) => Ok(false),
            Err(fault) => Err(fault.into()),
        }
    }

    /// Waits until a pipe is ready, for at most the given time, which is less than a second; reads or writes one piece
    /// of each that is. Returns true if an output was ready.
    fn move_data(&mut self, time: Duration) -> io::Result<bool> {
        let time = Timespec { tv_sec: 0, tv_nsec: i64::from(time.subsec_nanos()) };
        let [first, second] = &self.outputs;
        let input = self.input.as_ref().map(|(pipe, _)| PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::OUT));
        let asked = [first.readable(), second.readable(), input];
        let mut polled: Vec<PollFd<'_>> = asked.iter().flatten().cloned().collect();
        match poll(&mut polled, Some(&time)) {
            Ok(_) => {}
            Err(Errno::INTR) => return Ok(false),
            Err(fault) => return Err(fault.into()),
        }
        let mut answers = polled.iter().map(|polled| !polled.revents().is_empty());
        let ready = asked.each_ref().map(|asked| asked.is_some() && answers.next().unwrap_or(false));
        for (output, is_ready) in self.outputs.iter_mut().zip(ready) {
            if is_ready {
                output.take()?;
            }
        }
        let [first, second, writable] = ready;
        if writable {
            self.give();
        }
        Ok(first || second)
    }

    /// Writes one piece of the input. The program need not read all of it, or any.
    fn give(&mut self) {
        let Some((pipe, rest)) = &mut self.input else { return };
        match pipe.write(rest) {
            Ok(size) => *rest = rest.get(size..).unwrap_or_default(),
            Err(fault) if matches!(fault.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock) => {}
            Err(_) => *rest = &[],
        }
        if rest.is_empty() {
            self.input = None;
        }
    }

    /// Ends the program, if it has not ended, and all programs in its group, and reaps it.
    fn end(&mut self) -> io::Result<ExitStatus> {
        // A group that cannot be ended has ended by itself.
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        self.child.wait()
    }
}

impl Collected {
    /// The question to the system if there is something to read.
    fn readable(&self) -> Option<PollFd<'_>> {
        self.pipe.as_ref().map(|pipe| PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::IN))
    }

    /// Reads one piece.
    fn take(&mut self) -> io::Result<()> {
        let Some(pipe) = &mut self.pipe else { return Ok(()) };
        let mut piece = [0; 1 << 14];
        let size = match pipe.read(&mut piece) {
            Ok(size) => size,
            Err(fault) if fault.kind() == io::ErrorKind::Interrupted => return Ok(()),
            Err(fault) => return Err(fault),
        };
        self.read += size as u64;
        self.bytes.extend(piece.iter().take(size.min(self.bound.kept.saturating_sub(self.bytes.len()))));
        if size == 0 {
            self.pipe = None;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    fn shell(script: &str, input: &[u8], seconds: f64, streams: Streams, bound: OutputBound) -> Finished {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let bounds = Bounds { time: Duration::from_secs_f64(seconds), output: bound, errors: bound };
        run(command, input, streams, bounds).unwrap()
    }

    fn apart(script: &str, input: &[u8], seconds: f64) -> Finished {
        shell(script, input, seconds, Streams::Apart, OutputBound::fatal(1 << 20))
    }

    fn code(finished: &Finished) -> Option<i32> {
        match finished.ending {
            Termination::Exited(status) => status.code(),
            Termination::TimedOut | Termination::PrintedTooMuch => None,
        }
    }

    #[test]
    fn streams_and_codes_are_kept() {
        let finished = apart("cat; echo oops >&2; exit 3", b"1 2", 20.0);
        assert_eq!((code(&finished), finished.output, finished.errors), (Some(3), b"1 2".into(), b"oops\n".into()));
        let finished =
            shell("echo 1; echo 2 >&2; echo 3", b"", 20.0, Streams::Together, OutputBound::discarding(1 << 20));
        assert_eq!((finished.output, finished.errors), (b"1\n2\n3\n".into(), vec![]));
        let killed = apart("kill -9 $$", b"", 20.0).ending;
        assert!(matches!(killed, Termination::Exited(status) if status.signal() == Some(9)));
        let bound = OutputBound::fatal(1);
        let bounds = Bounds { time: Duration::from_secs(1), output: bound, errors: bound };
        assert!(run(Command::new("/nowhere/at/all"), b"", Streams::Apart, bounds).is_err());
    }

    #[test]
    fn much_input_is_written_while_much_output_is_read() {
        let input = vec![b'x'; 1 << 20];
        let finished = apart("cat", &input, 60.0);
        assert!(code(&finished) == Some(0) && finished.output == input);
        assert_eq!(code(&apart("exit 0", &input, 20.0)), Some(0));
    }

    #[test]
    fn time_and_output_are_bounded() {
        let begun = Instant::now();
        let finished = apart("echo 1; sleep 100 & wait", b"", 0.2);
        assert_eq!((finished.ending, finished.output), (Termination::TimedOut, b"1\n".into()));
        assert_eq!(code(&apart("sleep 100 & exit 0", b"", 20.0)), Some(0));
        assert_eq!(apart("yes", b"", 60.0).ending, Termination::PrintedTooMuch);
        let finished = shell("yes & exit 0", b"", 60.0, Streams::Together, OutputBound::discarding(1 << 20));
        assert_eq!(code(&finished), Some(0));
        let finished = shell("yes | head -c 3000000", b"", 60.0, Streams::Together, OutputBound::discarding(1 << 20));
        assert_eq!((code(&finished), finished.output.len()), (Some(0), 1 << 20));
        // Less of an output is kept than ends the program.
        let bound = OutputBound { kept: 10, most: Some(1 << 20) };
        let finished = shell("yes | head -c 1000000 >&2", b"", 60.0, Streams::Apart, bound);
        assert_eq!((code(&finished), finished.errors.len()), (Some(0), 10));
        let finished = shell("yes >&2", b"", 60.0, Streams::Apart, bound);
        assert_eq!((finished.ending, finished.errors.len()), (Termination::PrintedTooMuch, 10));
        assert!(begun.elapsed() < Duration::from_secs(100));
    }
}
