//! The chain of rotations (Siskind and Pearlmutter 2018): its value, its gradient with a tape of everything, and with
//! checkpoints.

use crate::rounds::Programs;
use std::ffi::OsStr;
use std::io::{self, Write};
use vlad_benches::{Vlad, median, seed_path};
use vlad_engines::Engine;

/// The size of the benchmark.
const SIZE: u64 = 1000;
const ITERATIONS: u64 = 182;

/// The size of an interval that is not split further, in steps.
const BASE_CASE: &str = "10000";

/// Each title, and the expression.
const WAYS: [(&str, &str); 3] = [
    ("primal", "(magnitude (f x))"),
    ("`*j`", "(let (((cons y x) (*j f x w))) (list (magnitude y) (magnitude x)))"),
    ("`checkpoint-*j`", "(let (((cons y x) (checkpoint-*j f x w))) (list (magnitude y) (magnitude x)))"),
];

/// The measured engines.
const ENGINES: [Engine; 2] = [Engine::Native, Engine::Interp];

/// Prints the table.
///
/// # Errors
/// Returns an error if a program fails.
pub fn table(vlad: &Vlad, turns: usize, out: &mut impl Write) -> io::Result<()> {
    let programs = Programs::new()?;
    writeln!(
        out,
        "The chain of rotations: {SIZE} reals, {ITERATIONS} iterations, base case {BASE_CASE}; medians of {turns}\n"
    )?;
    writeln!(out, "| engine | what | steps | s | / primal | peak, MB |\n|---|---|---|---|---|---|")?;
    for engine in ENGINES {
        let mut primal = None;
        for (what, expression) in WAYS {
            let text = format!(
                "(define f (chain {ITERATIONS})) (define x (starting-point {SIZE})) (define w (weights {SIZE}))\n{expression}"
            );
            let program = programs.write(&seed_path("lib/rotation-chain"), &text)?;
            let (mut times, mut peaks, mut steps) = (Vec::new(), Vec::new(), 0.0);
            for _ in 0..turns {
                let arguments = ["--stats", "--base-case", BASE_CASE, "--engine", engine.name()].map(OsStr::new);
                let ran = vlad.run(&[&arguments[..], &[program.as_os_str()]].concat(), programs.path())?;
                times.push(ran.statistic("time")?);
                peaks.push(ran.statistic("peak memory")? / 1e6);
                steps = ran.statistic("steps")?;
            }
            let (time, peak) = (median(&times), median(&peaks));
            let ratio = time / *primal.get_or_insert(time);
            writeln!(out, "| {engine} | {what} | {steps} | {time:.3} | {ratio:.2} | {peak:.1} |")?;
            out.flush()?;
        }
    }
    writeln!(out)
}
