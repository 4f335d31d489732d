//! A case in a process of its own. A case over which a process crashes is shrunk in this way, one process for each
//! trial, and `vlad fuzz --case` runs it again in this way.
//!
//! Invariant: the process runs the case as a campaign does, with its limit and suspensions, on the same engines.

use super::process::{PATIENCE_WITH_A_CASE, describe_exit, end};
use crate::process::exit::Exit;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::mem::discriminant;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};
use vlad_conformance::random::shrink::shrink;
use vlad_conformance::random::{Case, saved};
use vlad_files::ending::before_the_end;
use vlad_files::private::PrivateFolder;

/// The time limit of shrinking a case, not counting the last trial.
const MOST_TIME: Duration = Duration::from_secs(5 * 60);

/// The most bytes of an error message that are read.
const MOST_TOLD: u64 = 4096;

/// The pause between two checks of whether a trial has ended.
const PAUSE: Duration = Duration::from_millis(3);

/// The outcome of a trial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No fault.
    Fine,
    /// An engine that differs from the first, or a derivative that is wrong.
    Differs,
    /// A process that crashed or hung, as the text says.
    Breaks(String),
}

/// Returns the text of the smallest case found that has the same outcome as the given one. `words` select the engines.
pub fn shrunk(words: &[OsString], case: Case) -> Vec<u8> {
    // Without a folder for trials the case is not shrunk.
    let folder = match PrivateFolder::make(&std::env::temp_dir()) {
        Ok(folder) => folder,
        Err(error) => return told(words, &Err(error), &case),
    };
    let file = folder.path().join("case.vlad");
    let try_out = |case: &Case| -> io::Result<Outcome> {
        fs::write(&file, saved::write(&[], case))?;
        run(words, &file)
    };
    let outcome = try_out(&case);
    let smallest = match &outcome {
        Ok(Outcome::Fine) | Err(_) => case,
        Ok(outcome @ (Outcome::Differs | Outcome::Breaks(_))) => shrink(case, MOST_TIME, |case| {
            try_out(case).is_ok_and(|other| discriminant(&other) == discriminant(outcome))
        }),
    };
    told(words, &outcome, &smallest)
}

/// Returns a case with comments that give its outcome and the command that runs it again.
fn told(words: &[OsString], outcome: &io::Result<Outcome>, case: &Case) -> Vec<u8> {
    let words: Vec<_> = words.iter().map(|word| for_a_shell(word)).collect();
    let comes = match outcome {
        Ok(Outcome::Fine) => "Alone it does no harm:".to_owned(),
        Ok(Outcome::Differs) => {
            "The process breaks down while this is made smaller; here the engines disagree:".to_owned()
        }
        Ok(Outcome::Breaks(how)) => format!("A process of its own breaks down over it, too ({how}):"),
        Err(error) => format!("It could not be run in a process of its own ({error}):"),
    };
    saved::write(&[comes, format!("vlad fuzz --case FILE {}", words.join(" "))], case)
}

/// Returns a word in shell syntax: quoted, if it contains characters that may be special.
fn for_a_shell(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "_./=:+-".contains(character);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.into_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// Runs the case of a file in a process.
///
/// # Errors
/// The process cannot be started or waited for, or cannot read the case.
pub fn run(words: &[OsString], file: &Path) -> io::Result<Outcome> {
    let mut command = Command::new(std::env::current_exe()?);
    // The option and its value are one word, since the name of a file may look like an option.
    let mut case = OsString::from("--case=");
    case.push(file);
    command.args(["fuzz", "--worker"]).arg(case).args(words);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = before_the_end(|| command.spawn())?;
    let begun = Instant::now();
    loop {
        match child.try_wait()? {
            Some(status) => {
                let mut told = Vec::new();
                // A child of a process that crashed may still hold the output open, so the output is read only after
                // the exit code of a failure.
                if is_failure(status)
                    && let Some(output) = child.stdout.take()
                {
                    output.take(MOST_TOLD).read_to_end(&mut told)?;
                }
                return outcome_of(status, &told);
            }
            None if begun.elapsed() >= PATIENCE_WITH_A_CASE => {
                end(&mut child)?;
                child.wait()?;
                return Ok(Outcome::Breaks(format!("it does not end within {} s", PATIENCE_WITH_A_CASE.as_secs())));
            }
            None => thread::sleep(PAUSE),
        }
    }
}

fn is_failure(status: ExitStatus) -> bool {
    status.code() == Some(i32::from(Exit::Failure.code()))
}

/// Returns the outcome of a process with this exit status and this output.
///
/// # Errors
/// The process could not read the case, as its output says. A failure without output is a crash: exhausted memory has
/// the same exit code.
fn outcome_of(status: ExitStatus, told: &[u8]) -> io::Result<Outcome> {
    if status.success() {
        Ok(Outcome::Fine)
    } else if status.code() == Some(i32::from(Exit::Disagreement.code())) {
        Ok(Outcome::Differs)
    } else if is_failure(status) && !told.is_empty() {
        Err(io::Error::other(String::from_utf8_lossy(told)))
    } else {
        Ok(Outcome::Breaks(describe_exit(status)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vlad_conformance::random::{Limit, Source};

    #[test]
    fn words_are_quoted_for_a_shell() {
        let words = ["--cc", "/usr/bin/cc-12.1", "my cc", "", "it's", "a;b", "$(x)", "~", "a=b:c+d_e"];
        let quoted = words.map(|word| for_a_shell(OsStr::new(word)));
        let expected =
            ["--cc", "/usr/bin/cc-12.1", "'my cc'", "''", r"'it'\''s'", "'a;b'", "'$(x)'", "'~'", "a=b:c+d_e"];
        assert_eq!(quoted, expected);
    }

    #[test]
    fn bytes_of_a_bad_program_are_kept() {
        let source = Source::Text(b"(car \xff)".to_vec());
        let case = Case { seed: 0, source, input: Vec::new(), limit: Limit::Whole, suspension: None };
        let text = told(&["--cc".into(), "my cc".into()], &Ok(Outcome::Breaks("it ends".to_owned())), &case);
        let begin =
            b"; A process of its own breaks down over it, too (it ends):\n; vlad fuzz --case FILE --cc 'my cc'\n";
        assert!(text.starts_with(begin), "{}", String::from_utf8_lossy(&text));
        assert_eq!(saved::read(&text).unwrap(), case);
    }

    #[test]
    #[cfg(unix)]
    fn a_case_that_cannot_be_read_is_no_breakdown() {
        use std::os::unix::process::ExitStatusExt;
        let outcome = |code: i32, told: &[u8]| outcome_of(ExitStatus::from_raw(code << 8), told);
        assert_eq!(outcome(0, b"").unwrap(), Outcome::Fine);
        assert_eq!(outcome(3, b"").unwrap(), Outcome::Differs);
        assert_eq!(outcome(1, b"").unwrap(), Outcome::Breaks("it ends with code 1".to_owned()));
        assert_eq!(outcome(101, b"words").unwrap(), Outcome::Breaks("it ends with code 101".to_owned()));
        assert_eq!(outcome(1, b"f cannot be read").unwrap_err().to_string(), "f cannot be read");
    }
}
