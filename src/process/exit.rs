//! The termination of the command: its exit codes, which are a part of its interface.

use std::io::ErrorKind;
use std::process::ExitCode;

/// The exit codes as `--help` shows them.
pub const EXIT_CODES: &str = "\
Exit codes:
  0  success, also if the reader of the output closes it early
  1  the program failed: an error in its text, its run, its input or output, or a limit
  2  the command line is not valid
  3  engines disagree with each other
  4  the engine needs a C compiler, and there is none that works
  101  an internal error: a defect of vlad, which a line on the standard error names";

/// The exit codes of a program that was built.
pub const EXIT_CODES_OF_PROGRAMS: &str = "\
Exit codes:
  0  success, also if the reader of the output closes it early
  1  the program failed: an error in its run, its input or output, or a limit; or its file is damaged
  2  the command line is not valid
  101  an internal error: a defect of vlad, which a line on the standard error names";

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
