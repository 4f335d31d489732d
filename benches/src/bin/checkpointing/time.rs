//! Time: bisection of depth D executes every step once to count, D / 2 times on average to advance, and once to record;
//! (2 + D/2) t steps in all.

use crate::clock;
use crate::rounds::{Lengths, Programs};
use std::io::{self, Write};
use vlad_benches::{COMMAND_LIMITS, fault, load, median};
use vlad_engines::{Engine, Task};

/// The length of the list.
const SIZE: u64 = 10;

/// The number of steps of a base case.
const BASE_CASE: u64 = 1000;

/// The numbers of doublings of a base case of steps.
const DOUBLINGS: [u32; 5] = [0, 3, 6, 9, 12];

/// Prints the table.
///
/// # Errors
/// Returns an error if a program fails.
pub fn table(turns: usize, out: &mut impl Write) -> io::Result<()> {
    let programs = Programs::new()?;
    let lengths = Lengths::of(&programs, SIZE)?;
    writeln!(out, "Time: rounds over a list of {SIZE}, base case {BASE_CASE}, medians of {turns}\n")?;
    writeln!(
        out,
        "| engine | steps | depth | executed / steps | 2 + D/2 | primal, s | `*j`, s | `checkpoint-*j`, s | / `*j` | / primal |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|---|---|---|---|")?;
    for doublings in DOUBLINGS {
        let (rounds, _) = lengths.rounds(BASE_CASE << doublings);
        let text = format!(
            "(primops (rounds {rounds}) (start {SIZE}))
             (digest (*j (rounds {rounds}) (start {SIZE}) (ones {SIZE})))
             (digest (checkpoint-*j (rounds {rounds}) (start {SIZE}) (ones {SIZE}) #f {BASE_CASE}))"
        );
        let program = load(programs.rounds(&text)?)?;
        for engine in Engine::ALL {
            let task = Task { program: &program, limits: &COMMAND_LIMITS };
            let ready = clock::ready(engine, task)?;
            let mut seconds = [const { Vec::new() }; 3];
            let mut last = None;
            for _ in 0..turns {
                let all = clock::run(&ready, &program, &COMMAND_LIMITS)?;
                for (seconds, application) in seconds.iter_mut().zip(&all) {
                    seconds.push(application.seconds);
                }
                last = all.last().copied();
            }
            let checkpointed = last.ok_or_else(|| fault("nothing was applied"))?;
            let [primal, plain, time] = seconds.map(|seconds| median(&seconds));
            let steps = checkpointed.steps;
            let ratio = (steps + checkpointed.executed) as f64 / steps as f64;
            let depth = halvings(steps);
            let theory = 2.0 + f64::from(depth) / 2.0;
            writeln!(
                out,
                "| {engine} | {steps} | {depth} | {ratio:.3} | {theory} | {primal:.3e} | {plain:.3e} | {time:.3e} | {:.2} | {:.2} |",
                time / plain,
                time / primal,
            )?;
            out.flush()?;
        }
    }
    writeln!(out)
}

/// The number of halvings of `steps` until the rest is a base case: D.
fn halvings(steps: u64) -> u32 {
    let mut depth = 0;
    while steps.div_ceil(1 << depth) > BASE_CASE {
        depth += 1;
    }
    depth
}
