//! What can go wrong between generated C and a loaded object, in words for the user.
//!
//! Invariant: every message says what was looked for or run and what happened, quotes the compiler's first lines if it
//! printed any, and names the engines that need no compiler.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The most lines of the compiler's output that a message quotes.
const MOST_LINES: usize = 8;

/// The most characters of each of them.
const MOST_CHARACTERS: usize = 200;

/// A place where a compiler was looked for, and what was there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The name or path that was looked for, and who asked for it.
    pub looked_for: String,
    /// What was found in its place.
    pub found: String,
}

/// Why there is no loaded object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolchainError {
    /// No C compiler was found.
    NotFound {
        /// Everything that was tried.
        attempts: Vec<Attempt>,
    },
    /// The compiler cannot be started.
    CannotStart {
        /// Its path.
        compiler: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The compiler reported failure or was ended by a signal.
    Failed {
        /// Its path.
        compiler: PathBuf,
        /// How it ended, as in "exit status: 1".
        ending: String,
        /// The beginning of what it printed.
        output: String,
    },
    /// The compiler took too long and was ended.
    TimedOut {
        /// Its path.
        compiler: PathBuf,
        /// The time that it had.
        limit: Duration,
        /// The beginning of what it printed.
        output: String,
    },
    /// The compiler reported success but left no object, or half of one.
    NoObject {
        /// Its path.
        compiler: PathBuf,
        /// What is in the place of the object.
        reason: String,
        /// The beginning of what it printed.
        output: String,
    },
    /// The object cannot be loaded into the process.
    NotLoadable {
        /// The file of the object.
        object: PathBuf,
        /// What the system's loader says.
        reason: String,
    },
    /// The program is larger than whoever asked for the object wants to wait for.
    TooLarge,
    /// The program is larger than the compiler could be asked for.
    FarTooLarge {
        /// The most bytes of C text that it is asked for.
        most_text: usize,
    },
    /// The private folder for the compiler cannot be made or written.
    Folder {
        /// The folder that was to be used.
        folder: PathBuf,
        /// What the system says.
        reason: String,
    },
}

impl fmt::Display for ToolchainError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}\n{}", self.description(), self.advice())
    }
}

impl std::error::Error for ToolchainError {}

impl ToolchainError {
    /// What was looked for or run, and what happened: one line, and below it what the compiler printed.
    #[must_use]
    pub fn description(&self) -> String {
        match self {
            ToolchainError::NotFound { attempts } => {
                let tried: Vec<String> =
                    attempts.iter().map(|attempt| format!("{}: {}", attempt.looked_for, attempt.found)).collect();
                format!("no C compiler was found: {}", tried.join("; "))
            }
            ToolchainError::CannotStart { compiler, reason } => {
                format!("the C compiler {} cannot be started: {reason}", shown_path(compiler))
            }
            ToolchainError::Failed { compiler, ending, output } => {
                format!("the C compiler {} failed ({ending}){}", shown_path(compiler), quoted(output))
            }
            ToolchainError::TimedOut { compiler, limit, output } => {
                let seconds = limit.as_secs_f64();
                format!("the C compiler {} was ended after {seconds} s{}", shown_path(compiler), quoted(output))
            }
            ToolchainError::NoObject { compiler, reason, output } => {
                let compiler = shown_path(compiler);
                format!("the C compiler {compiler} left no usable object: {reason}{}", quoted(output))
            }
            ToolchainError::NotLoadable { object, reason } => {
                format!("the compiled object {} cannot be loaded: {reason}", shown_path(object))
            }
            ToolchainError::TooLarge => "the program is so large that it would take long to compile".to_owned(),
            ToolchainError::FarTooLarge { most_text } => format!(
                "the program is too large to be compiled: it makes more than {} megabytes of C, which would take minutes \
                 and gigabytes",
                most_text >> 20
            ),
            ToolchainError::Folder { folder, reason } => {
                format!("the folder {} for temporary files cannot be used: {reason}", shown_path(folder))
            }
        }
    }

    /// What the user can do: the other engines, and what helps this one.
    #[must_use]
    pub fn advice(&self) -> &'static str {
        match self {
            ToolchainError::NotFound { .. } => {
                "install a C compiler or name one with --cc or VLAD_CC; or use --engine hybrid or --engine interp"
            }
            ToolchainError::CannotStart { .. }
            | ToolchainError::Failed { .. }
            | ToolchainError::TimedOut { .. }
            | ToolchainError::NoObject { .. } => {
                "name another C compiler with --cc or VLAD_CC; or use --engine hybrid or --engine interp"
            }
            ToolchainError::TooLarge => "use --engine native to compile it all the same",
            ToolchainError::FarTooLarge { .. } => "use --engine hybrid or --engine interp",
            ToolchainError::NotLoadable { .. } | ToolchainError::Folder { .. } => {
                "name another folder for temporary files with TMPDIR; or use --engine hybrid or --engine interp"
            }
        }
    }
}

/// The first lines of what the compiler printed, each on a line of its own; nothing if it printed none.
fn quoted(output: &str) -> String {
    let mut lines = output.lines().map(str::trim_end).filter(|line| !line.is_empty());
    let mut text = String::new();
    for line in lines.by_ref().take(MOST_LINES) {
        if text.is_empty() {
            text.push_str("; it printed:");
        }
        let short: String = line.chars().take(MOST_CHARACTERS).collect();
        text.push_str("\n  ");
        text.push_str(&shown(&short));
        if short.len() < line.len() {
            text.push_str("...");
        }
    }
    if lines.next().is_some() {
        text.push_str("\n  ...");
    }
    text
}

/// A path for a message: control characters, line ends among them, are escaped; what is not Unicode is replaced.
#[must_use]
pub fn shown_path(path: &Path) -> String {
    shown(&path.to_string_lossy())
}

/// What the system says, without the path, which is put behind it and which the message names already.
pub(crate) fn reason_of(fault: &io::Error) -> String {
    let told = fault.to_string();
    told.split_once(" at path ").map_or(told.as_str(), |(reason, _path)| reason).to_owned()
}

/// A text on one line, without characters that could control a terminal.
pub(super) fn shown(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for character in text.chars() {
        if character == '\t' {
            result.push(' ');
        } else if character.is_control() {
            result.extend(character.escape_default());
        } else {
            result.push(character);
        }
    }
    result
}
