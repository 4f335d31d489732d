//! The program of `benches/programs/list-rounds.vlad`, with expressions behind it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use vlad_benches::{AS_THE_COMMAND, Subject, fault, load, program_path};
use vlad_conformance::engine::Engine;

/// A folder for programs.
pub struct Programs {
    folder: tempfile::TempDir,
}

impl Programs {
    /// An empty folder.
    ///
    /// # Errors
    /// There can be none.
    pub fn new() -> io::Result<Programs> {
        Ok(Programs { folder: tempfile::tempdir()? })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a program that begins as a file does, and evaluates some expressions.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, beginning: &Path, expressions: &str) -> io::Result<PathBuf> {
        let path = self.folder.path().join("measured.vlad");
        fs::write(&path, format!("{}\n{expressions}\n", fs::read_to_string(beginning)?))?;
        Ok(path)
    }

    /// Writes a program of rounds.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn rounds(&self, expressions: &str) -> io::Result<PathBuf> {
        self.write(&program_path("list-rounds"), expressions)
    }
}

/// How many steps rounds take: that is linear in their number.
pub struct Lengths {
    first: u64,
    each: u64,
}

impl Lengths {
    /// Of rounds over so many reals.
    ///
    /// # Errors
    /// The program does not run.
    pub fn of(programs: &Programs, size: u64) -> io::Result<Lengths> {
        let steps = |rounds: u64| -> io::Result<u64> {
            let program = load(programs.rounds(&format!("(primops (rounds {rounds}) (start {size}))"))?)?;
            let (_, conduct) = Subject::new(Engine::Hybrid, &program, &AS_THE_COMMAND)?.run()?;
            let text = String::from_utf8_lossy(&conduct.output).trim().to_owned();
            text.parse().map_err(|_| fault(format!("a number of steps is expected, not {text}")))
        };
        let (one, two, three) = (steps(1)?, steps(2)?, steps(3)?);
        if three - two != two - one {
            return Err(fault("the steps of rounds are not linear in their number"));
        }
        Ok(Lengths { first: one - (two - one), each: two - one })
    }

    /// The number of rounds that take about so many steps, and how many they take.
    pub fn rounds(&self, steps: u64) -> (u64, u64) {
        let rounds = (steps.saturating_sub(self.first) + self.each / 2) / self.each;
        let rounds = rounds.max(1);
        (rounds, self.first + rounds * self.each)
    }
}
