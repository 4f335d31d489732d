//! Prints a table of the peak memory of the command `vlad` on every engine: for a loop that discards nearly all that it
//! allocates, and for programs with deep recursion or long data.
//!
//! `cargo run --release -p vlad-benches --bin memory` prints Markdown, ready for `benches/record`. The command is built
//! first. The memory is the peak resident set of the process, as `--stats` reports it, without that of a C compiler
//! that the process starts. Each run is one process: memory does not vary as times do.

use std::ffi::OsStr;
use std::io::{self, Write};
use vlad_benches::{Arguments, Vlad, cell, fault, program_path};
use vlad_engines::Engine;

/// Each title, its program, and the target: the maximal memory in megabytes (10^6 bytes).
const PROGRAMS: [(&str, &str, Option<f64>); 5] = [
    ("10^8 pairs allocated, ten kept", "pairs-thrown-away", Some(50.0)),
    ("10^6 nested calls", "nested-calls", None),
    ("map and reduce over a list of 10^6", "long-list", None),
    ("a chain of 10^6 closures", "closure-chain", None),
    ("the gradient of a sum of 10^6 squares", "long-gradient", None),
];

fn main() -> io::Result<()> {
    if Arguments::read(1, &[])?.turns != 1 {
        return Err(fault("each program runs once"));
    }
    let vlad = Vlad::build()?;
    let cache = tempfile::tempdir()?;
    let mut out = io::stdout();
    writeln!(out, "| what | engine | steps | s | peak, MB | target |\n|---|---|---|---|---|---|")?;
    for (what, name, target) in PROGRAMS {
        let program = program_path(name);
        let mut expected: Option<(String, f64)> = None;
        for engine in Engine::ALL {
            let arguments = ["--engine", engine.name(), "--stats"].map(OsStr::new);
            let ran = vlad.run(&[&arguments[..], &[program.as_os_str()]].concat(), cache.path())?;
            let (steps, seconds) = (ran.statistic("steps")?, ran.statistic("time")?);
            let peak = ran.statistic("peak memory")? / 1e6;
            let conduct = (ran.output, steps);
            if *expected.get_or_insert_with(|| conduct.clone()) != conduct {
                return Err(fault(format!("{name} differs on {engine}")));
            }
            writeln!(out, "| {what} | {engine} | {steps} | {seconds:.3} | {peak:.1} | {} |", cell(target, 0))?;
        }
    }
    Ok(())
}
