//! The suspension of a run: the step, and the file that the suspended run is written to.
//!
//! Invariant: at any time the named file is complete: the old one or the new one.

use crate::output::bounded_writer::BoundedWriter;
use clap::Args;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use vlad_files::draft::{Access, Draft};
use vlad_files::output::destination;
use vlad_shared::core::Program;
use vlad_shared::core::diagnostic::{Diagnostic, Failure, Kind};
use vlad_shared::core::source::SourceMap;
use vlad_shared::runtime::run::Outcome;
use vlad_shared::runtime::suspended::{PartEnd, Suspended};
use vlad_shared::snapshot::capsule_file;

/// The step at which a run is suspended, and the file that it is written to.
#[derive(Clone, Debug, Args)]
pub struct Suspension {
    /// Suspend the run after N steps, as --max-steps counts them.
    ///
    /// A run is not suspended inside an operator like `j*`, but at the first node after it.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub after: u64,
    /// Write the suspended run to this file
    #[arg(short = 'o', long, value_name = "CAPSULE")]
    pub output: PathBuf,
}

impl Suspension {
    /// Checks that the file can be written, before anything runs.
    pub fn prepare(&self) -> Result<(), Failure> {
        self.begin()
            .map(drop)
            .map_err(|error| Failure { diagnostics: vec![self.unwritten(&error)], sources: SourceMap::default() })
    }

    /// Writes the suspended run, of at most `most` bytes. Returns the error if the run has ended or the file cannot be
    /// written; none if the run has failed, since that has been reported.
    pub fn conclude(&self, program: &Program, end: PartEnd, most: Option<u64>) -> Option<Diagnostic> {
        match end {
            PartEnd::Suspended(suspended) => {
                if let Err(error) = self.write(program, &suspended, most) {
                    return Some(self.unwritten(&error));
                }
                if suspended.steps > self.after {
                    let (steps, after) = (suspended.steps, self.after);
                    let note = format!(
                        "note: the run is suspended after {steps} steps, the first possible point after {after}\n"
                    );
                    // A failed write of a note is ignored.
                    let _ = io::stderr().lock().write_all(note.as_bytes());
                }
                None
            }
            PartEnd::Ended(report) => {
                let (kind, message) = match report.outcome {
                    Outcome::Failed(_) => return None,
                    Outcome::Finished | Outcome::Stopped => {
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
        let mut out = BufWriter::with_capacity(1 << 16, BoundedWriter::new(draft.file(), most));
        let written = capsule_file::write(program, suspended, &mut out)
            .and_then(|()| out.flush())
            .and_then(|()| draft.file().sync_all());
        // Dropping a `BufWriter` would try again to write the buffer.
        let _ = out.into_parts();
        written.and_then(|()| draft.place())
    }

    /// Begins the file.
    fn begin(&self) -> io::Result<Draft> {
        // A symbolic link stays; the file that it leads to is replaced.
        let target = destination(&self.output);
        if target.exists() && !target.is_file() {
            return Err(io::Error::other("it is not an ordinary file"));
        }
        if target.exists() && !may_be_replaced(&target)? {
            return Err(io::Error::other("the file there is not a capsule"));
        }
        if target.file_name().is_none() {
            return Err(io::Error::other("that is not the name of a file"));
        }
        Draft::begin(&target, Access::AsUsual)
    }

    fn unwritten(&self, error: &io::Error) -> Diagnostic {
        Diagnostic::new(Kind::Output, None, format!("`{}` cannot be written: {error}", self.output.display()))
    }
}

/// Returns true if a file is empty or begins as a capsule file. Other files, such as programs, are not replaced.
fn may_be_replaced(target: &Path) -> io::Result<bool> {
    let mut head = Vec::new();
    File::open(target)?.take(capsule_file::HEAD as u64).read_to_end(&mut head)?;
    Ok(head.is_empty() || capsule_file::may_be_one(&head))
}
