//! The cost, in native code, of being stoppable at any step.
//!
//! All native code counts steps, since it returns to its driver when its fuel is used up. So the comparison is between
//! code that counts block by block, for runs that never stop at a node, and code that can also count step by step,
//! compiled for a step limit that is never reached.

use std::io::{self, Write};
use vlad_benches::{COMMAND_LIMITS, Subject, fault, load, median, program_path};
use vlad_engines::Engine;
use vlad_shared::runtime::run::Limits;

/// The programs, without differentiation.
const PROGRAMS: [&str; 4] = ["counting-loop", "pairs-loop", "nested-calls-small", "closures-loop"];

/// The number of runs of a program in a turn.
const RUNS: usize = 20;

/// A limit that is never reached.
const STOPPABLE: Limits = Limits { steps: Some(u64::MAX), ..COMMAND_LIMITS };

/// Prints the table.
///
/// # Errors
/// Returns an error if a program fails.
pub fn table(turns: usize, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "Counting, native: ns a step, medians of {turns}\n")?;
    writeln!(out, "| program | steps | by blocks | stoppable | ratio |\n|---|---|---|---|---|")?;
    for name in PROGRAMS {
        let program = load(program_path(name))?;
        let subjects = [
            Subject::new(Engine::Native, &program, &COMMAND_LIMITS)?,
            Subject::new(Engine::Native, &program, &STOPPABLE)?,
        ];
        let mut figures = [const { Vec::new() }; 2];
        let mut steps = [0; 2];
        for _ in 0..turns {
            for ((subject, figures), steps) in subjects.iter().zip(&mut figures).zip(&mut steps) {
                let mut seconds = 0.0;
                for _ in 0..RUNS {
                    let (time, conduct) = subject.run()?;
                    seconds += time.as_secs_f64();
                    *steps = conduct.steps;
                }
                figures.push(seconds / RUNS as f64 / *steps as f64 * 1e9);
            }
        }
        let [blocks, stoppable] = figures.map(|figures| median(&figures));
        if steps[0] != steps[1] {
            return Err(fault(format!("{name} takes other steps if it can stop")));
        }
        writeln!(out, "| {name} | {} | {blocks:.2} | {stoppable:.2} | {:.2} |", steps[0], stoppable / blocks)?;
        out.flush()?;
    }
    writeln!(out)
}
