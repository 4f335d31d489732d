//! One case in a process of its own: a case over which a process breaks down is made smaller so, each trial a process, and is
//! run again so by `vlad fuzz --case`.
//!
//! Invariant: the process runs the case as a campaign does, with its limit and suspensions, on the same engines.

use super::supervisor::{end, manner};
use crate::ending::Ending;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use vlad_conformance::random::shrink::shrink;
use vlad_conformance::random::{Case, saved};
use vlad_files::ending::before_the_end;
use vlad_files::private::PrivateFolder;

/// The time that making a case smaller may take, but for the last trial.
const MOST_TIME: Duration = Duration::from_secs(5 * 60);

/// The time after which a trial hangs: its runs have limits of time of their own.
const PATIENCE: Duration = Duration::from_secs(90);

/// The pause between two looks whether a trial has ended.
const PAUSE: Duration = Duration::from_millis(3);

/// What came of a trial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing is wrong.
    Fine,
    /// An engine does something else than the first, or a derivative is wrong.
    Differs,
    /// The process broke down, as the text says.
    Breaks(String),
}

impl Outcome {
    fn is_like(&self, other: &Outcome) -> bool {
        matches!(
            (self, other),
            (Outcome::Fine, Outcome::Fine)
                | (Outcome::Differs, Outcome::Differs)
                | (Outcome::Breaks(_), Outcome::Breaks(_))
        )
    }
}

/// The text of the smallest case found of which the same comes as of the given one. `words` say on which engines it is run.
pub fn shrunk(words: &[OsString], case: Case) -> Vec<u8> {
    // Without a folder to try in, the case stays as it is.
    let Ok(folder) = PrivateFolder::make(&std::env::temp_dir()) else { return told(words, &Outcome::Fine, &case) };
    let file = folder.path().join("case.vlad");
    let try_out = |case: &Case| -> io::Result<Outcome> {
        fs::write(&file, saved::write(&[], case))?;
        run(words, &file)
    };
    let outcome = try_out(&case).unwrap_or(Outcome::Fine);
    if outcome == Outcome::Fine {
        return told(words, &outcome, &case);
    }
    let smallest = shrink(case, MOST_TIME, |case| try_out(case).is_ok_and(|other| other.is_like(&outcome)));
    told(words, &outcome, &smallest)
}

/// A case with comments that say how it is run again.
fn told(words: &[OsString], outcome: &Outcome, case: &Case) -> Vec<u8> {
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    let comes = match outcome {
        Outcome::Fine => "Alone it does no harm:".to_owned(),
        Outcome::Differs => "The process breaks down while this is made smaller; here the engines disagree:".to_owned(),
        Outcome::Breaks(how) => format!("A process of its own breaks down over it, too ({how}):"),
    };
    saved::write(&[comes, format!("vlad fuzz --case FILE {}", words.join(" "))], case)
}

/// Runs the case of a file in a process.
///
/// # Errors
/// The process cannot be started or waited for.
pub fn run(words: &[OsString], file: &Path) -> io::Result<Outcome> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["fuzz", "--worker", "--case"]).arg(file).args(words);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = before_the_end(|| command.spawn())?;
    let begun = Instant::now();
    loop {
        match child.try_wait()? {
            Some(status) if status.success() => return Ok(Outcome::Fine),
            Some(status) if status.code() == Some(i32::from(Ending::Disagreement.code())) => {
                return Ok(Outcome::Differs);
            }
            Some(status) => return Ok(Outcome::Breaks(manner(status))),
            None if begun.elapsed() >= PATIENCE => {
                end(&mut child)?;
                child.wait()?;
                return Ok(Outcome::Breaks(format!("it does not end within {} s", PATIENCE.as_secs())));
            }
            None => thread::sleep(PAUSE),
        }
    }
}
