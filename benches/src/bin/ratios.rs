//! Prints a table of the programs from the literature on every engine, against hand-written C where there is a
//! reference: medians of several turns.
//!
//! `cargo run --release -p vlad-benches --bin ratios [TURNS]` prints Markdown, ready for `benches/record`. A slow
//! program has fewer turns; the column `turns` has their number. Times are of whole runs, C's of the same work, with
//! the limit of memory that the command sets. The time of the hybrid engine includes the conversion of the program;
//! that of compiling and loading native code is in a column of its own.

use std::io::{self, Write};
use vlad_benches::{Arguments, COMMAND_LIMITS, Measured, WORKLOADS, Yardstick, cell, median, take_turns};
use vlad_engines::Engine;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> io::Result<()> {
    let turns = Arguments::read(5, &[])?.turns;
    let mut out = io::stdout();
    writeln!(out, "| program | engine | turns | steps | s | ns a step | compile, s | C, s | engine / C | target |")?;
    writeln!(out, "|---|---|---|---|---|---|---|---|---|---|")?;
    for workload in WORKLOADS {
        let program = workload.load()?;
        let measured = match workload.yardstick {
            Some(yardstick) => take_turns(&program, &COMMAND_LIMITS, turns, Some(&|| yardstick.seconds())),
            None => take_turns(&program, &COMMAND_LIMITS, turns, None),
        };
        for measured in measured.map_err(|error| vlad_benches::fault(format!("{}: {error}", workload.example)))? {
            writeln!(out, "{}", row(workload.example, &measured, workload.yardstick.as_ref()))?;
        }
    }
    Ok(())
}

fn row(program: &str, measured: &Measured, yardstick: Option<&Yardstick>) -> String {
    let Measured { engine, steps, ready, times, references } = measured;
    let time = median(times);
    let compile = matches!(engine, Engine::Native).then(|| median(ready));
    let c = yardstick.map_or_else(String::new, |_| format!("{:.3e}", median(references)));
    let ratio = yardstick.map(|_| median(&measured.ratios()));
    let target = yardstick.and_then(|yardstick| yardstick.target(*engine));
    let (turns, step) = (times.len(), time / *steps as f64 * 1e9);
    format!(
        "| {program} | {engine} | {turns} | {steps} | {time:.3e} | {step:.1} | {} | {c} | {} | {} |",
        cell(compile, 2),
        cell(ratio, 0),
        cell(target, 0),
    )
}
