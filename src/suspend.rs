//! `vlad suspend`: run a program up to a step, and write what is left of the run to a file.
//!
//! Invariant: the file that is named is whole at any time, the old one or the new one.

use crate::arguments::{RunArguments, RunOptions};
use crate::bounded::Bounded;
use crate::choice::Choice;
use crate::ending::Ending;
use crate::running;
use clap::Args;
use clap::error::ErrorKind;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use vlad_files::draft::{Access, Draft};
use vlad_files::output::destination;
use vlad_shared::capsule_file;
use vlad_shared::core::Program;
use vlad_shared::diagnostic::{Diagnostic, Kind};
use vlad_shared::load::Failure;
use vlad_shared::run::Outcome;
use vlad_shared::source::SourceMap;
use vlad_shared::suspended::{PartEnd, Suspended};

/// The arguments of `vlad suspend`.
#[derive(Debug, Args)]
pub struct SuspendArguments {
    /// What to run, and how.
    #[command(flatten)]
    pub run: RunArguments,
    /// Where to stop.
    #[command(flatten)]
    pub suspension: Suspension,
}

/// Where a run is suspended.
#[derive(Clone, Debug, Args)]
pub struct Suspension {
    /// Suspend the run when N steps have been taken, as --max-steps counts them, before the next one; if that is inside an
    /// operator such as `j*`, at the first node after it
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub after: u64,
    /// The file to write
    #[arg(short = 'o', long, value_name = "CAPSULE")]
    pub output: PathBuf,
}

/// Runs a program and suspends it.
pub fn suspend(arguments: &SuspendArguments) -> Ending {
    match refuse(&arguments.run.options) {
        Some(refusal) => refusal,
        None => running::run_with(&arguments.run, None, Some(&arguments.suspension)),
    }
}

/// Refuses what cannot run a part of a run.
pub fn refuse(options: &RunOptions) -> Option<Ending> {
    let message = match options.engine.engine {
        Choice::All => "a part of a run is one engine's matter: --engine takes the name of one".to_owned(),
        Choice::One(_) | Choice::Automatic => return None,
    };
    Some(Ending::of_usage(&clap::Error::raw(ErrorKind::ArgumentConflict, format!("{message}\n"))))
}

impl Suspension {
    /// Looks whether the file can be written, before anything runs.
    pub fn prepare(&self) -> Result<(), Failure> {
        self.begin()
            .map(drop)
            .map_err(|error| Failure { diagnostics: vec![self.unwritten(&error)], sources: SourceMap::default() })
    }

    /// Writes what is left of the run, of so many bytes at most; what is wrong if there is nothing to write, or it cannot be
    /// written. A run that has failed has said what is wrong.
    pub fn conclude(&self, program: &Program, end: PartEnd, most: Option<u64>) -> Option<Diagnostic> {
        match end {
            PartEnd::Suspended(suspended) => {
                if let Err(error) = self.write(program, &suspended, most) {
                    return Some(self.unwritten(&error));
                }
                if suspended.steps > self.after {
                    let (steps, after) = (suspended.steps, self.after);
                    let note = format!(
                        "note: the run is suspended after {steps} steps, where it first could be after {after}\n"
                    );
                    // A note that cannot be written is no reason to fail.
                    let _ = io::stderr().lock().write_all(note.as_bytes());
                }
                None
            }
            PartEnd::Ended(report) => {
                let (kind, message) = match report.outcome {
                    Outcome::Failed(_) => return None,
                    Outcome::Finished => {
                        let steps = report.steps;
                        (
                            Kind::Limit,
                            format!(
                                "the program ends after {steps} steps; there is nothing to suspend after {}",
                                self.after
                            ),
                        )
                    }
                    Outcome::OutputClosed => {
                        (Kind::Output, "the output is closed; the run is not suspended".to_owned())
                    }
                };
                Some(Diagnostic::new(kind, None, message))
            }
        }
    }

    fn write(&self, program: &Program, suspended: &Suspended, most: Option<u64>) -> io::Result<()> {
        let draft = self.begin()?;
        let mut out = BufWriter::with_capacity(1 << 16, Bounded::new(draft.file(), most));
        let written = capsule_file::write(program, suspended, &mut out)
            .and_then(|()| out.flush())
            .and_then(|()| draft.file().sync_all());
        // A buffer that cannot be written would be tried again when it is dropped.
        let _ = out.into_parts();
        written.and_then(|()| draft.place())
    }

    /// Begins the file that is to stand there.
    fn begin(&self) -> io::Result<Draft> {
        // Where a link leads is replaced, not the link.
        let target = destination(&self.output);
        if target.exists() && !target.is_file() {
            return Err(io::Error::other("it is no ordinary file"));
        }
        if target.exists() && !may_be_replaced(&target)? {
            return Err(io::Error::other("something else than a capsule stands there"));
        }
        if target.file_name().is_none() {
            return Err(io::Error::other("that is no name of a file"));
        }
        Draft::begin(&target, Access::AsUsual)
    }

    fn unwritten(&self, error: &io::Error) -> Diagnostic {
        Diagnostic::new(Kind::Output, None, format!("`{}` cannot be written: {error}", self.output.display()))
    }
}

/// Whether a file is empty or begins as a capsule file: a program, for one, is not replaced.
fn may_be_replaced(target: &Path) -> io::Result<bool> {
    let mut head = Vec::new();
    File::open(target)?.take(capsule_file::HEAD as u64).read_to_end(&mut head)?;
    Ok(head.is_empty() || capsule_file::may_be_one(&head))
}
