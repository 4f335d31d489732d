//! Prints a table of the cost of a step on every engine, without differentiation: medians of several turns.
//!
//! `cargo run --release -p vlad-benches --bin steps [TURNS]` prints Markdown, ready for `benches/record`. The programs
//! are in `benches/programs`. They run with the limit of memory that the command sets, and once more without limits:
//! the difference is the cost of checking the memory.

use std::io::{self, Write};
use vlad_benches::{Arguments, COMMAND_LIMITS, Measured, UNLIMITED, cell, load, median, program_path, take_turns};
use vlad_engines::Engine;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Each title, and its program.
const PROGRAMS: [(&str, &str); 4] = [
    ("a loop that counts", "counting-loop"),
    ("a loop over pairs", "pairs-loop"),
    ("calls that are not tail calls", "nested-calls-small"),
    ("a loop with closures", "closures-loop"),
];

/// The target of an engine: the maximal nanoseconds a step.
fn target(engine: Engine) -> Option<f64> {
    match engine {
        Engine::Interp | Engine::Hybrid | Engine::FirstOrder => None,
        Engine::Native | Engine::NativeTagged => Some(5.0),
    }
}

fn main() -> io::Result<()> {
    let turns = Arguments::read(7, &[])?.turns;
    let mut out = io::stdout();
    writeln!(out, "| what | engine | steps | ns a step | target | without limits |\n|---|---|---|---|---|---|")?;
    for (what, name) in PROGRAMS {
        let program = load(program_path(name))?;
        // One turn at a time, so that compared figures were measured at about the same time.
        let mut rows: Vec<Row> = Engine::ALL.map(Row::new).into();
        for _ in 0..turns {
            let limited = take_turns(&program, &COMMAND_LIMITS, 1, None)?;
            let unlimited = take_turns(&program, &UNLIMITED, 1, None)?;
            for (row, (limited, unlimited)) in rows.iter_mut().zip(limited.iter().zip(&unlimited)) {
                row.steps = limited.steps;
                row.limited.push(nanoseconds(limited));
                row.unlimited.push(nanoseconds(unlimited));
            }
        }
        for Row { engine, steps, limited, unlimited } in rows {
            let (step, target, bare) = (median(&limited), cell(target(engine), 0), median(&unlimited));
            writeln!(out, "| {what} | {engine} | {steps} | {step:.2} | {target} | {bare:.2} |")?;
        }
    }
    Ok(())
}

/// The figures of an engine with a program: nanoseconds a step, one a turn.
struct Row {
    engine: Engine,
    steps: u64,
    limited: Vec<f64>,
    unlimited: Vec<f64>,
}

impl Row {
    fn new(engine: Engine) -> Row {
        Row { engine, steps: 0, limited: Vec::new(), unlimited: Vec::new() }
    }
}

/// Nanoseconds a step.
fn nanoseconds(measured: &Measured) -> f64 {
    median(&measured.times) / measured.steps as f64 * 1e9
}
