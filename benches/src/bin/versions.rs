//! Prints the processor times of the programs that have a yardstick in C with this build of the command relative to another
//! build: the least of several turns in which both ran, one after the other.
//!
//! `cargo run --release -p vlad-benches --bin versions OTHER [TURNS] [FOLDER ...]` prints Markdown, ready for
//! `benches/record`; `OTHER` is the path of the other command; folders and `--formulations` are as for `yardsticks`:
//! a folder below `benches/programs` selects its problems, and `--formulations` all formulations of each instead of the
//! first. A time is that of a process with the input for measurements, less the idle time: that of one with an input that
//! leaves next to nothing to do, for the start and the loading of the program.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;
use vlad_benches::{Arguments, Formulation, Problem, Vlad, fault};

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
    writeln!(out, "| program | mode | formulation | turns | s | other, s | ratio | idle, s | other, s |")?;
    writeln!(out, "|---|---|---|---|---|---|---|---|---|")?;
    for problem in Problem::selected(&arguments.words) {
        for formulation in problem.formulations.iter().take(most_formulations) {
            writeln!(out, "{}", row(problem, formulation, arguments.turns, commands)?)?;
            out.flush()?;
        }
    }
    Ok(())
}

/// Measures a formulation of a problem in turns, of which each command is the first in every other one.
fn row(
    problem: &Problem,
    formulation: &Formulation,
    turns: usize,
    commands: [(&Vlad, &Path); 2],
) -> io::Result<String> {
    let text = problem.text(formulation);
    let words = ["run", "--engine", "native", "-e", &text].map(OsStr::new);
    let work = |(vlad, cache): (&Vlad, &Path), input| {
        Ok::<f64, io::Error>(vlad.run_on(input, &words, cache)?.work.as_secs_f64())
    };
    // The first run compiles.
    for command in commands {
        work(command, problem.idle_input)?;
    }
    let inputs = [problem.input, problem.idle_input];
    let mut least = [[f64::INFINITY; 2]; 2];
    for turn in 0..turns {
        for place in [turn % 2, 1 - turn % 2] {
            let (Some(command), Some(least)) = (commands.get(place), least.get_mut(place)) else { continue };
            for (input, least) in inputs.into_iter().zip(least) {
                *least = least.min(work(*command, input)?);
            }
        }
    }
    let [[this, this_idle], [other, other_idle]] = least;
    Ok(format!(
        "| {} | {} | {} {} | {turns} | {:.4} | {:.4} | {:.3} | {:.4} | {:.4} |",
        problem.folder,
        problem.mode,
        formulation.file,
        formulation.gradient,
        this - this_idle,
        other - other_idle,
        (this - this_idle) / (other - other_idle),
        this_idle,
        other_idle,
    ))
}
