//! The programs from the literature, and the hand-written C programs that are the reference of some of them.

use crate::fault;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
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

/// A program in C that computes the same as a VLAD program. It works in *units*: one solve, or one step of training.
#[derive(Clone, Copy, Debug)]
pub struct Yardstick {
    /// Its name below `benches/yardstick`, without its extension.
    pub name: &'static str,
    /// The number of units in one run of the VLAD program.
    pub units: u32,
    /// The number of units in one measurement of the C program, chosen so that it takes about a tenth of a second.
    pub units_measured: u32,
    /// The maximal ratios of an engine's time to the C program's.
    pub targets: &'static [(Engine, f64)],
}

/// The targets of the programs with two levels of forward mode.
const FORWARD_TARGETS: &[(Engine, f64)] = &[(Engine::Hybrid, 4000.0), (Engine::Native, 750.0)];

const SADDLE: Yardstick = Yardstick { name: "saddle_ff", units: 1, units_measured: 300, targets: FORWARD_TARGETS };
const PARTICLE: Yardstick = Yardstick { name: "particle_ff", units: 1, units_measured: 200, targets: FORWARD_TARGETS };
const BACKPROP: Yardstick = Yardstick { name: "backprop_r", units: 1000, units_measured: 1_000_000, targets: &[] };

const fn without_yardstick(example: &'static str) -> Workload {
    Workload { example, yardstick: None }
}

/// All workloads.
pub const WORKLOADS: [Workload; 20] = [
    Workload { example: "saddle-ff", yardstick: Some(SADDLE) },
    without_yardstick("saddle-fr"),
    without_yardstick("saddle-rf"),
    without_yardstick("saddle-rr"),
    Workload { example: "particle-ff", yardstick: Some(PARTICLE) },
    without_yardstick("particle-fr"),
    without_yardstick("particle-rf"),
    without_yardstick("particle-rr"),
    without_yardstick("backprop-f"),
    Workload { example: "backprop-r", yardstick: Some(BACKPROP) },
    without_yardstick("probabilistic-lambda-calculus-f"),
    without_yardstick("probabilistic-lambda-calculus-r"),
    without_yardstick("probabilistic-prolog-f"),
    without_yardstick("probabilistic-prolog-r"),
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
        Ok(seconds_of_unit(self.name, &[&self.units_measured.to_string()])? * f64::from(self.units))
    }

    /// The maximal ratio of an engine's time to this program's, if there is a target.
    #[must_use]
    pub fn target(&self, engine: Engine) -> Option<f64> {
        self.targets.iter().find(|(of, _)| *of == engine).map(|(_, most)| *most)
    }
}

/// The seconds that a program in C below `benches/yardstick` takes for a unit, as it measures itself.
///
/// # Errors
/// Returns an error if it cannot be run, or prints no time.
pub fn seconds_of_unit(name: &str, arguments: &[&str]) -> io::Result<f64> {
    let executable = Path::new(env!("VLAD_YARDSTICKS")).join(name);
    let output = Command::new(executable).args(arguments).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().find_map(|line| line.strip_prefix("seconds-per-unit:"));
    let unit = line.and_then(|figure| figure.trim().parse::<f64>().ok());
    unit.ok_or_else(|| fault(format!("the yardstick {name} printed no time")))
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
