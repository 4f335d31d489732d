//! The programs from the literature, and the hand-written C programs that are the reference of some of them.

use crate::fault;
use crate::yardstick::run_yardstick;
use std::io;
use std::path::PathBuf;
use vlad_engines::Engine;
use vlad_shared::core::Program;
use vlad_shared::frontend::load::{self, Input, Options};

/// A program from the literature.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// The program below `examples`, without its extension.
    pub example: &'static str,
    /// The same program in C.
    pub yardstick: Option<Yardstick>,
}

/// A program in C that computes the same as a VLAD program, and its work in one measurement.
#[derive(Clone, Copy, Debug)]
pub struct Yardstick {
    /// Its name below `benches/yardstick`, without its extension.
    pub name: &'static str,
    /// Its mode.
    pub mode: &'static str,
    /// Its input in one measurement, chosen so that it takes about a tenth of a second.
    pub input: &'static str,
    /// The number of runs of the VLAD program that do the work of that input.
    pub runs: f64,
    /// The maximal ratios of an engine's time to the C program's.
    pub targets: &'static [(Engine, f64)],
}

/// The targets of the programs with two levels of forward mode.
const FORWARD_TARGETS: &[(Engine, f64)] = &[(Engine::Hybrid, 4000.0), (Engine::Native, 750.0)];

const fn saddle(example: &'static str, mode: &'static str, targets: &'static [(Engine, f64)]) -> Workload {
    let yardstick = Yardstick { name: "saddle", mode, input: "300 1 0", runs: 300.0, targets };
    Workload { example, yardstick: Some(yardstick) }
}

const fn particle(example: &'static str, mode: &'static str, targets: &'static [(Engine, f64)]) -> Workload {
    let yardstick = Yardstick { name: "particle", mode, input: "100 0 0", runs: 100.0, targets };
    Workload { example, yardstick: Some(yardstick) }
}

const fn backprop(example: &'static str, mode: &'static str) -> Workload {
    let input = "100000 0 -0.284227 1.16054 0 0.617194 1.30467 0 -0.084395 0.648461";
    Workload { example, yardstick: Some(Yardstick { name: "backprop", mode, input, runs: 100.0, targets: &[] }) }
}

const fn likelihood(example: &'static str, mode: &'static str) -> Workload {
    let input = "1000000 0.5 0.5";
    Workload { example, yardstick: Some(Yardstick { name: "likelihood", mode, input, runs: 1000.0, targets: &[] }) }
}

const fn without_yardstick(example: &'static str) -> Workload {
    Workload { example, yardstick: None }
}

/// All workloads.
pub const WORKLOADS: [Workload; 20] = [
    saddle("saddle-ff", "ff", FORWARD_TARGETS),
    saddle("saddle-fr", "fr", &[]),
    saddle("saddle-rf", "rf", &[]),
    saddle("saddle-rr", "rr", &[]),
    particle("particle-ff", "ff", FORWARD_TARGETS),
    particle("particle-fr", "fr", &[]),
    particle("particle-rf", "rf", &[]),
    particle("particle-rr", "rr", &[]),
    backprop("backprop-f", "f"),
    backprop("backprop-r", "r"),
    likelihood("probabilistic-lambda-calculus-f", "lambda-f"),
    likelihood("probabilistic-lambda-calculus-r", "lambda-r"),
    likelihood("probabilistic-prolog-f", "prolog-f"),
    likelihood("probabilistic-prolog-r", "prolog-r"),
    without_yardstick("game"),
    without_yardstick("determinant"),
    without_yardstick("checkpoint-determinant"),
    without_yardstick("recurrent-network"),
    without_yardstick("ode-gradient"),
    without_yardstick("hessian-vector"),
];

impl Workload {
    /// Loads the VLAD program.
    ///
    /// # Errors
    /// Returns an error if it does not load.
    pub fn load(&self) -> io::Result<Program> {
        load(seed_path(self.example))
    }
}

impl Yardstick {
    /// The seconds that C takes for the work of one run of the VLAD program, as the C program measures itself.
    ///
    /// # Errors
    /// Returns an error if it cannot be run, or prints no time.
    pub fn seconds(&self) -> io::Result<f64> {
        Ok(run_yardstick(self.name, self.mode, "table", self.input)?.seconds / self.runs)
    }

    /// The maximal ratio of an engine's time to this program's, if there is a target.
    #[must_use]
    pub fn target(&self, engine: Engine) -> Option<f64> {
        self.targets.iter().find(|(of, _)| *of == engine).map(|(_, most)| *most)
    }
}

/// The folder of the project.
pub fn root() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), ".."].iter().collect()
}

/// The file of a program below `examples`.
#[must_use]
pub fn seed_path(name: &str) -> PathBuf {
    root().join("examples").join(name).with_extension("vlad")
}

/// The file of a program below `benches/programs`.
#[must_use]
pub fn program_path(name: &str) -> PathBuf {
    root().join("benches/programs").join(name).with_extension("vlad")
}

/// Loads a program.
///
/// # Errors
/// Returns the first diagnostic if it does not load.
pub fn load(path: PathBuf) -> io::Result<Program> {
    let shown = path.display().to_string();
    load::load(Input::Path(path), &Options::default()).map_err(|failure| {
        let reason = failure.diagnostics.first().map_or("", |first| &first.message);
        fault(format!("{shown}: {reason}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_loads() {
        for workload in WORKLOADS {
            workload.load().unwrap();
        }
    }
}
