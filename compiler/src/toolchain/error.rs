//! Errors between generated C and a loaded object, with messages for the user.
//!
//! Invariant: every message says what was looked for or run and what happened, quotes the first lines that the compiler
//! printed, if any, and names the engines that need no compiler.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fmt, io};

/// The maximal number of lines of the compiler's output in a message.
const MOST_LINES: usize = 8;

/// The maximal number of characters of each of these lines.
const MOST_CHARACTERS: usize = 200;

/// An attempt to find a compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The name or path that was looked for, and the setting that gave it.
    pub looked_for: String,
    /// The reason why it is no compiler that can be run.
    pub found: String,
}

/// The reason why there is no loaded object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolchainError {
    /// No C compiler was found.
    NotFound {
        /// All attempts, in order.
        attempts: Vec<Attempt>,
    },
    /// The compiler cannot be started.
    CannotStart {
        /// Its path.
        compiler: PathBuf,
        /// The message of the system.
        reason: String,
    },
    /// The compiler reported failure or was ended by a signal.
    Failed {
        /// Its path.
        compiler: PathBuf,
        /// Its exit status, as in "exit status: 1".
        ending: String,
        /// The beginning of its output.
        output: String,
    },
    /// The compiler took too long and was ended.
    TimedOut {
        /// Its path.
        compiler: PathBuf,
        /// Its time limit.
        limit: Duration,
        /// The beginning of its output.
        output: String,
    },
    /// The compiler reported success but left no object, or an incomplete one.
    NoObject {
        /// Its path.
        compiler: PathBuf,
        /// The defect of the object, if there is one.
        reason: String,
        /// The beginning of its output.
        output: String,
    },
    /// The object cannot be loaded into the process.
    NotLoadable {
        /// The file of the object.
        object: PathBuf,
        /// The message of the system's loader.
        reason: String,
    },
    /// The program would take longer to compile than the caller is willing to wait.
    TooLarge,
    /// The program exceeds the absolute limit on C text.
    FarTooLarge {
        /// The limit, in bytes.
        most_text: usize,
    },
    /// The private folder for the compiler cannot be created or written.
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The message of the system.
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
    /// The message: one line about the command and its failure, and below it the output of the compiler.
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

    /// The advice to the user: the other engines, and a remedy for this one.
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

/// The first lines of the compiler's output, each on a line of its own; nothing if there are none.
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

/// A path for a message: control characters, line ends among them, are escaped; bytes that are not Unicode are
/// replaced.
#[must_use]
pub fn shown_path(path: &Path) -> String {
    shown(&path.to_string_lossy())
}

/// The message of the system, without the path after it, which the caller's message names already.
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
