//! Prints the times of the programs that have a yardstick in C with this build of the command relative to another build:
//! medians of the ratios of turns in which both ran, one after the other, and the ratio of the least times, which a busy machine
//! changes less.
//!
//! `cargo run --release -p vlad-benches --bin versions OTHER [TURNS] [FOLDER ...]` prints Markdown, ready for
//! `benches/record`; `OTHER` is the path of the other command; folders and `--formulations` are as for `yardsticks`:
//! a folder below `benches/programs` selects its problems, and `--formulations` all formulations of each instead of the first. Times are of
//! processes with the input for measurements, less those with an input that leaves next to nothing to do.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;
use vlad_benches::{Arguments, Formulation, Problem, Vlad, fault, median};

fn main() -> io::Result<()> {
    let mut given = std::env::args().skip(1);
    let other = given.next().ok_or_else(|| fault("the path of another command is expected"))?;
    let arguments = Arguments::parse(given, 9, &[&Problem::folders()[..], &["--formulations"]].concat())?;
    let has_all = arguments.words.iter().any(|word| word == "--formulations");
    let most_formulations = if has_all { usize::MAX } else { 1 };
    let (this, other) = (Vlad::build()?, Vlad::at(std::fs::canonicalize(other)?));
    let (cache, other_cache) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let commands = [(&this, cache.path()), (&other, other_cache.path())];
    let mut out = io::stdout();
    writeln!(out, "| program | mode | formulation | turns | s | other, s | ratio | from | to | of least |")?;
    writeln!(out, "|---|---|---|---|---|---|---|---|---|---|")?;
    for problem in Problem::selected(&arguments.words) {
        for formulation in problem.formulations.iter().take(most_formulations) {
            writeln!(out, "{}", row(problem, formulation, arguments.turns, commands)?)?;
            out.flush()?;
        }
    }
    Ok(())
}

/// Measures a formulation of a problem in turns.
fn row(
    problem: &Problem,
    formulation: &Formulation,
    turns: usize,
    commands: [(&Vlad, &Path); 2],
) -> io::Result<String> {
    let [this, other] = commands.map(|(vlad, cache)| move || seconds(problem, formulation, vlad, cache));
    // The first run compiles.
    this()?;
    other()?;
    let (mut times, mut other_times, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for turn in 0..turns {
        // Each is the first of every other turn.
        let (time, other_time) = if turn % 2 == 0 {
            (this()?, other()?)
        } else {
            let other_time = other()?;
            (this()?, other_time)
        };
        times.push(time);
        other_times.push(other_time);
        ratios.push(time / other_time);
    }
    Ok(format!(
        "| {} | {} | {} {} | {turns} | {:.4} | {:.4} | {:.3} | {:.2} | {:.2} | {:.3} |",
        problem.folder,
        problem.mode,
        formulation.file,
        formulation.gradient,
        median(&times),
        median(&other_times),
        median(&ratios),
        least(&ratios),
        ratios.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        least(&times) / least(&other_times),
    ))
}

fn least(numbers: &[f64]) -> f64 {
    numbers.iter().copied().fold(f64::INFINITY, f64::min)
}

/// The seconds that a command takes for the difference of the inputs of a problem.
fn seconds(problem: &Problem, formulation: &Formulation, vlad: &Vlad, cache: &Path) -> io::Result<f64> {
    let text = problem.text(formulation);
    let words = ["run", "--engine", "native", "-e", &text].map(OsStr::new);
    let of = |input| Ok::<f64, io::Error>(vlad.run_on(input, &words, cache)?.time.as_secs_f64());
    Ok(of(problem.input)? - of(problem.idle_input)?)
}
