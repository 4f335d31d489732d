//! The termination of the command: its exit codes, which are a part of its interface.

use std::io::ErrorKind;
use std::process::ExitCode;

/// The exit codes as `--help` shows them.
pub const EXIT_CODES: &str = "\
Exit codes:
  0  success, even if the reader closes the output early
  1  failure: an error in the program, its input or its output, or an exceeded limit
  2  invalid command line
  3  engines disagree with each other
  4  the engine needs a C compiler, and none works
  101  internal error: a defect of vlad, named on standard error";

/// The exit codes of a program that was built.
pub const EXIT_CODES_OF_PROGRAMS: &str = "\
Exit codes:
  0  success, even if the reader closes the output early
  1  failure: an error in the program, its input or its output, an exceeded limit, or a damaged executable
  2  invalid command line
  101  internal error: a defect of vlad, named on standard error";

/// The outcome of the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Success.
    Success,
    /// The program failed.
    Failure,
    /// The command line is not valid.
    Usage,
    /// Engines disagree with each other.
    Disagreement,
    /// There is no C compiler that works.
    NoCompiler,
}

impl Exit {
    /// Returns the exit code.
    pub fn code(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::Failure => 1,
            Exit::Usage => 2,
            Exit::Disagreement => 3,
            Exit::NoCompiler => 4,
        }
    }

    /// Prints the error in the arguments, or the help or version that they ask for.
    pub fn of_usage(error: &clap::Error) -> Exit {
        match error.print() {
            _ if error.use_stderr() => Exit::Usage,
            Err(trouble) if trouble.kind() != ErrorKind::BrokenPipe => Exit::Failure,
            Ok(()) | Err(_) => Exit::Success,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(ending: Exit) -> ExitCode {
        ExitCode::from(ending.code())
    }
}
