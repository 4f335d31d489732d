//! Measured programs: `benches/programs/list-rounds.vlad`, or another file, followed by expressions. A round is one
//! pass over the list of reals.

use std::path::{Path, PathBuf};
use std::{fs, io};
use vlad_benches::{COMMAND_LIMITS, Subject, fault, load, program_path};
use vlad_engines::Engine;

/// A folder for programs.
pub struct Programs {
    folder: tempfile::TempDir,
}

impl Programs {
    /// Makes an empty folder.
    ///
    /// # Errors
    /// Returns an error if it cannot be made.
    pub fn new() -> io::Result<Programs> {
        Ok(Programs { folder: tempfile::tempdir()? })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a program that begins with the text of a file and then evaluates some expressions.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn write(&self, beginning: &Path, expressions: &str) -> io::Result<PathBuf> {
        let path = self.folder.path().join("measured.vlad");
        fs::write(&path, format!("{}\n{expressions}\n", fs::read_to_string(beginning)?))?;
        Ok(path)
    }

    /// Writes a program of rounds.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn rounds(&self, expressions: &str) -> io::Result<PathBuf> {
        self.write(&program_path("list-rounds"), expressions)
    }
}

/// The number of steps of rounds, which is linear in the number of rounds.
pub struct Lengths {
    first: u64,
    each: u64,
}

impl Lengths {
    /// Measures rounds over `size` reals.
    ///
    /// # Errors
    /// Returns an error if the program does not run, or its steps are not linear.
    pub fn of(programs: &Programs, size: u64) -> io::Result<Lengths> {
        let steps = |rounds: u64| -> io::Result<u64> {
            let program = load(programs.rounds(&format!("(primops (rounds {rounds}) (start {size}))"))?)?;
            let (_, conduct) = Subject::new(Engine::Hybrid, &program, &COMMAND_LIMITS)?.run()?;
            let text = String::from_utf8_lossy(&conduct.output).trim().to_owned();
            text.parse().map_err(|_| fault(format!("a number of steps is expected, not {text}")))
        };
        let (one, two, three) = (steps(1)?, steps(2)?, steps(3)?);
        if three - two != two - one {
            return Err(fault("the steps of rounds are not linear in their number"));
        }
        Ok(Lengths { first: one - (two - one), each: two - one })
    }

    /// The number of rounds that take about `steps` steps, and their exact number of steps.
    pub fn rounds(&self, steps: u64) -> (u64, u64) {
        let rounds = (steps.saturating_sub(self.first) + self.each / 2) / self.each;
        let rounds = rounds.max(1);
        (rounds, self.first + rounds * self.each)
    }
}
