//! Prints a table of times and ratios: each workload on the interpreter and in C, turn by turn, medians of several turns.
//!
//! `cargo run --release -p vlad-benches --bin ratios [TURNS]` prints Markdown, ready for `benches/record`.

use std::io::{self, Write};
use vlad_benches::WORKLOADS;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

fn main() -> io::Result<()> {
    let turns = std::env::args().nth(1).and_then(|turns| turns.parse().ok()).unwrap_or(5);
    let mut out = io::stdout();
    writeln!(out, "| workload | C, s a unit | interp, s a unit | interp / C | steps a unit | ns a step |")?;
    writeln!(out, "|---|---|---|---|---|---|")?;
    for workload in WORKLOADS {
        let program = workload.load()?;
        let mut yardstick = Vec::new();
        let mut interpreter = Vec::new();
        let mut ratios = Vec::new();
        let mut steps_a_unit = 0.0;
        for _ in 0..turns {
            let c = workload.run_yardstick()?;
            let (time, steps) = workload.run_interpreter(&program)?;
            let unit = time.as_secs_f64() / f64::from(workload.units);
            steps_a_unit = steps as f64 / f64::from(workload.units);
            yardstick.push(c);
            interpreter.push(unit);
            ratios.push(unit / c);
        }
        let (c, interpreter, ratio) = (median(yardstick), median(interpreter), median(ratios));
        let step = interpreter / steps_a_unit * 1e9;
        writeln!(
            out,
            "| {} | {c:.3e} | {interpreter:.3e} | {ratio:.0} | {steps_a_unit:.0} | {step:.1} |",
            workload.name
        )?;
    }
    Ok(())
}
