//! What is measured, and how: programs from the literature on the engines against hand-written C, in units that both
//! share.
//!
//! A *unit* is one solve of `saddle` or `particle`, or one step of training of `backprop`. Only ratios of times taken in
//! one run, turn by turn, mean anything: the machine's speed changes from minute to minute.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use vlad_shared::core::Program;
use vlad_shared::load::{self, Input, Options};
use vlad_shared::print::Notation;
use vlad_shared::run::{Limits, Outcome, StreamHost};

/// A program that exists in VLAD and in C.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// Its name in tables.
    pub name: &'static str,
    /// The C program below `benches/yardstick`.
    pub yardstick: &'static str,
    /// The VLAD program below `examples`.
    pub example: &'static str,
    /// What the VLAD program reads from its input.
    pub input: &'static str,
    /// How many units one run of the VLAD program is.
    pub units: u32,
    /// How many units the C program is to run in one measurement.
    pub yardstick_units: u32,
}

/// The workloads with a yardstick.
pub const WORKLOADS: [Workload; 3] = [
    Workload {
        name: "saddle FF",
        yardstick: "saddle_ff",
        example: "saddle-ff.vlad",
        input: "",
        units: 1,
        yardstick_units: 300,
    },
    Workload {
        name: "particle FF",
        yardstick: "particle_ff",
        example: "particle-ff.vlad",
        input: "",
        units: 1,
        yardstick_units: 200,
    },
    Workload {
        name: "backprop R",
        yardstick: "backprop_r",
        example: "backprop-r.vlad",
        input: "1000",
        units: 1000,
        yardstick_units: 1_000_000,
    },
];

fn fault(message: impl Display) -> io::Error {
    io::Error::other(message.to_string())
}

impl Workload {
    /// Seconds a unit of the C program, as it measures itself.
    ///
    /// # Errors
    /// It cannot be run, or prints something else.
    pub fn run_yardstick(&self) -> io::Result<f64> {
        let executable = Path::new(env!("VLAD_YARDSTICKS")).join(self.yardstick);
        let output = Command::new(executable).arg(self.yardstick_units.to_string()).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let line = text.lines().find_map(|line| line.strip_prefix("seconds-per-unit:"));
        line.and_then(|figure| figure.trim().parse().ok()).ok_or_else(|| fault("the yardstick printed no time"))
    }

    /// Loads the VLAD program.
    ///
    /// # Errors
    /// It does not load.
    pub fn load(&self) -> io::Result<Program> {
        let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", "examples", self.example].iter().collect();
        load::load(Input::Path(path), &Options { include_folders: vec![] })
            .map_err(|failure| fault(failure.diagnostics.first().map_or("", |first| &first.message)))
    }

    /// Runs the VLAD program on the interpreter: the time and the steps it took.
    ///
    /// # Errors
    /// It fails.
    pub fn run_interpreter(&self, program: &Program) -> io::Result<(Duration, u64)> {
        let mut host = StreamHost::new(self.input.as_bytes(), Vec::new(), Notation::Shortest);
        let start = Instant::now();
        let report = vlad_interp::run(program, &mut host, &Limits::default());
        let time = start.elapsed();
        match report.outcome {
            Outcome::Finished => Ok((time, report.steps)),
            Outcome::Failed(diagnostic) => Err(fault(diagnostic.message)),
            Outcome::OutputClosed => Err(fault("the output closed")),
        }
    }
}
