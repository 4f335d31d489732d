//! Prints the cost of programs on the native engine relative to hand-written C of the same operations: medians of the
//! ratios of turns in which both ran, one after the other.
//!
//! `cargo run --release -p vlad-benches --bin yardsticks [TURNS] [FOLDER ...] [--formulations] [--memory] [-- OPTION
//! ...]` prints Markdown, ready for `benches/record`. A folder below `benches/programs` selects its problems; without
//! one all are measured but `arrays`, a group of its own;
//! `--formulations` measures all formulations instead of the first; `--memory` adds the peak memory of the command
//! and of an executable of `vlad build`, which takes one more run of each, with larger data where the problem has such; the options after `--` are given to `vlad run`, for instance `--specialise never`. The command is built
//! first. The time of a program is that of its process with the input for measurements, less that with an input that
//! leaves next to nothing to do, once the cache has the object; C's time is that of the same difference. It is measured
//! without `--stats`, which would count steps. A formulation that takes long has fewer turns.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};
use vlad_benches::{
    Arguments, Formulation, Problem, Ran, Vlad, cell, fault, large_input, median, numbers_in, run_yardstick,
};

/// The time after which a formulation has no more turns.
const BUDGET: Duration = Duration::from_secs(30);

fn main() -> io::Result<()> {
    let known = [&Problem::folders()[..], &["--formulations", "--memory", "--"]].concat();
    let arguments = Arguments::read(5, &known)?;
    let given = |word: &str| arguments.words.iter().any(|given| given == word);
    let most_formulations = if given("--formulations") { usize::MAX } else { 1 };
    let (vlad, cache) = (Vlad::build()?, tempfile::tempdir()?);
    let runner = Runner { vlad, cache: cache.path(), options: &arguments.options, memory: given("--memory") };
    let mut out = io::stdout();
    writeln!(
        out,
        "| program | mode | formulation | turns | s | C, s | engine / C | target | engine / other C | memory / C | \
         memory of executable / C |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|---|---|---|---|---|")?;
    for problem in Problem::selected(&arguments.words) {
        for formulation in problem.formulations.iter().take(most_formulations) {
            writeln!(out, "{}", runner.row(problem, formulation, arguments.turns)?)?;
            out.flush()?;
        }
    }
    Ok(())
}

/// The command, and how to run it.
struct Runner<'run> {
    vlad: Vlad,
    cache: &'run Path,
    options: &'run [String],
    memory: bool,
}

impl Runner<'_> {
    fn row(&self, problem: &Problem, formulation: &Formulation, turns: usize) -> io::Result<String> {
        let begun = Instant::now();
        let (mut times, mut references, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        let mut others: Vec<Vec<f64>> = vec![Vec::new(); problem.versions.len()];
        // The first run compiles.
        self.run(problem, formulation, problem.idle_input, &[])?;
        while times.len() < turns && (times.is_empty() || begun.elapsed() < BUDGET) {
            let reference = seconds_in_c(problem, "table")?;
            let idle = self.run(problem, formulation, problem.idle_input, &[])?.time;
            let time = (self.run(problem, formulation, problem.input, &[])?.time.saturating_sub(idle)).as_secs_f64();
            for (version, ratios) in problem.versions.iter().zip(&mut others) {
                ratios.push(time / seconds_in_c(problem, version)?);
            }
            times.push(time);
            references.push(reference);
            ratios.push(time / reference);
        }
        let others: Vec<String> = problem
            .versions
            .iter()
            .zip(&others)
            .map(|(version, ratios)| format!("{version} {:.2}", median(ratios)))
            .collect();
        let memory = self.memory.then(|| self.memory_ratios(problem, formulation)).transpose()?;
        Ok(format!(
            "| {} | {} | {} {} | {} | {:.3} | {:.4} | {:.2} | {} | {} | {} | {} |",
            problem.folder,
            problem.mode,
            formulation.file,
            formulation.gradient,
            times.len(),
            median(&times),
            median(&references),
            median(&ratios),
            cell(problem.most, 1),
            others.join(", "),
            cell(memory.map(|[command, _]| command), 2),
            cell(memory.map(|[_, executable]| executable), 2),
        ))
    }

    /// The ratios of the peak memory of the process to that of C's: for the command, and for an executable that it builds.
    fn memory_ratios(&self, problem: &Problem, formulation: &Formulation) -> io::Result<[f64; 2]> {
        let input = large_input(problem);
        // The first run compiles.
        self.run(problem, formulation, input, &[])?;
        let ran = self.run(problem, formulation, input, &["--stats"])?;
        let built = self.vlad.run_built(&problem.text(formulation), input, self.cache)?;
        let reference = run_yardstick(problem.yardstick, problem.mode, "table", input)?.peak_memory;
        Ok([ran.statistic("peak memory")? / reference, built.statistic("peak memory")? / reference])
    }

    /// Runs a program; it is an error if it prints other digits than C.
    fn run(&self, problem: &Problem, formulation: &Formulation, input: &str, more: &[&str]) -> io::Result<Ran> {
        let text = problem.text(formulation);
        let options = self.options.iter().map(String::as_str).chain(more.iter().copied());
        let words: Vec<&OsStr> =
            ["run", "--engine", "native"].into_iter().chain(options).chain(["-e", &text]).map(OsStr::new).collect();
        let ran = self.vlad.run_on(input, &words, self.cache)?;
        let expected = run_yardstick(problem.yardstick, problem.mode, "table", input)?;
        if numbers_in(&ran.output) == expected.numbers {
            Ok(ran)
        } else {
            Err(fault(format!("{text} prints {}, C {:?}", ran.output, expected.numbers)))
        }
    }
}

/// The seconds that C takes for the difference of the inputs.
fn seconds_in_c(problem: &Problem, version: &str) -> io::Result<f64> {
    let run = |input| run_yardstick(problem.yardstick, problem.mode, version, input);
    Ok(run(problem.input)?.seconds - run(problem.idle_input)?.seconds)
}
