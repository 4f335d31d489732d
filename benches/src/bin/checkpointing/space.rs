//! Space: live storage is bounded, so the memory of `checkpoint-*j` beyond the primal's is that of the snapshots kept,
//! one more for each doubling of the steps, and of the tape of one base case.
//!
//! For the engines written in Rust the allocated bytes are counted exactly (`vlad profile`); for the native engine the
//! figure is the peak resident memory (`--stats`), the least of three processes.

use crate::rounds::{Lengths, Programs};
use serde_json::Value;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;
use vlad_benches::{Vlad, fault};
use vlad_engines::Engine;

/// Each length of the list, with the first and the last power of two of the steps.
const SIZES: [(u64, u32, u32); 2] = [(1, 10, 22), (1000, 17, 22)];

/// The two numbers of capsules kept to measure the size of one.
const CAPSULES: (u64, u64) = (8, 40);

/// The number of steps in the measurement of resident memory on the native engine.
const LONG: u64 = 100_000_000;

/// Prints the tables.
///
/// # Errors
/// Returns an error if a program fails.
pub fn table(vlad: &Vlad, out: &mut impl Write) -> io::Result<()> {
    let programs = Programs::new()?;
    for (size, least, most) in SIZES {
        let lengths = Lengths::of(&programs, size)?;
        writeln!(out, "Space: rounds over a list of {size}; bytes beyond the primal's, growth by doubling\n")?;
        writeln!(out, "| steps | {} |", Engine::ALL.map(|engine| format!("{engine} | growth")).join(" | "))?;
        writeln!(out, "|---|{}", "---|---|".repeat(Engine::ALL.len()))?;
        let mut before = [None; Engine::ALL.len()];
        for power in least..=most {
            let (rounds, steps) = lengths.rounds(1 << power);
            write!(out, "| {steps} |")?;
            for (engine, before) in Engine::ALL.into_iter().zip(&mut before) {
                let bytes = beyond_primal(vlad, &programs, engine, rounds, size, "checkpoint-*j")?;
                let growth = before.map_or_else(String::new, |before: i64| (bytes - before).to_string());
                write!(out, " {bytes} | {growth} |")?;
                *before = Some(bytes);
            }
            writeln!(out)?;
            out.flush()?;
        }
        write!(out, "| one capsule |")?;
        for engine in Engine::ALL {
            let bytes = capsule(vlad, &programs, engine, &lengths, size)?;
            write!(out, " {bytes} | |")?;
        }
        writeln!(out, "\n")?;
    }
    long(vlad, &programs, out)
}

/// The bytes of an operator beyond those of the primal.
fn beyond_primal(
    vlad: &Vlad,
    programs: &Programs,
    engine: Engine,
    rounds: u64,
    size: u64,
    operator: &str,
) -> io::Result<i64> {
    let primal = format!("(primops (rounds {rounds}) (start {size}))");
    let reversed = format!("(digest ({operator} (rounds {rounds}) (start {size}) (ones {size})))");
    Ok(peak(vlad, programs, engine, &reversed)? - peak(vlad, programs, engine, &primal)?)
}

/// The bytes of one capsule: the growth per capsule when more of them are kept.
fn capsule(vlad: &Vlad, programs: &Programs, engine: Engine, lengths: &Lengths, size: u64) -> io::Result<i64> {
    let (few, many) = CAPSULES;
    let (rounds, steps) = lengths.rounds(lengths.rounds(0).1 * 8);
    let keeping = |capsules: u64| {
        let distance = (steps - 1) / many;
        let kept =
            format!("(map-n (lambda (i) (interrupt (rounds {rounds}) (start {size}) (* {distance} (+ i 1)))) n)");
        peak(vlad, programs, engine, &format!("(primops (lambda (n) {kept}) {capsules})"))
    };
    Ok((keeping(many)? - keeping(few)?) / (many - few) as i64)
}

/// The peak memory of an expression; on the engines in Rust, that of its first application of an operator.
fn peak(vlad: &Vlad, programs: &Programs, engine: Engine, expression: &str) -> io::Result<i64> {
    let program = programs.rounds(expression)?;
    match engine {
        Engine::Interp | Engine::Hybrid | Engine::FirstOrder => allocated(vlad, programs.path(), engine, &program),
        Engine::Native | Engine::NativeTagged => resident(vlad, programs.path(), &program),
    }
}

fn allocated(vlad: &Vlad, cache: &Path, engine: Engine, program: &Path) -> io::Result<i64> {
    let arguments = ["profile", "--json", "--base-case", "1000", "--engine", engine.name()].map(OsStr::new);
    let ran = vlad.run(&[&arguments[..], &[program.as_os_str()]].concat(), cache)?;
    let told: Value = serde_json::from_str(&ran.output)?;
    let row = told.pointer("/profile/rows/0/peak_bytes").and_then(Value::as_i64);
    row.ok_or_else(|| fault("the profile has no row"))
}

fn resident(vlad: &Vlad, cache: &Path, program: &Path) -> io::Result<i64> {
    let mut least = i64::MAX;
    for _ in 0..3 {
        let arguments = ["--engine", "native", "--stats", "--base-case", "1000"].map(OsStr::new);
        let ran = vlad.run(&[&arguments[..], &[program.as_os_str()]].concat(), cache)?;
        least = least.min(ran.statistic("peak memory")? as i64);
    }
    Ok(least)
}

/// Resident memory on the native engine: with a tape of everything, and after very many steps.
fn long(vlad: &Vlad, programs: &Programs, out: &mut impl Write) -> io::Result<()> {
    let lengths = Lengths::of(programs, 1)?;
    let (rounds, steps) = lengths.rounds(1 << 22);
    let tape = beyond_primal(vlad, programs, Engine::Native, rounds, 1, "*j")?;
    writeln!(out, "Resident memory, native\n\n| what | steps | bytes | bytes a step |\n|---|---|---|---|")?;
    writeln!(out, "| `*j`, beyond the primal | {steps} | {tape} | {:.2} |", tape as f64 / steps as f64)?;
    let (rounds, steps) = lengths.rounds(LONG);
    let program = programs.rounds(&format!("(digest (checkpoint-*j (rounds {rounds}) (start 1) (ones 1)))"))?;
    let bytes = resident(vlad, programs.path(), &program)?;
    writeln!(out, "| `checkpoint-*j`, the whole process | {steps} | {bytes} | {:.2} |\n", bytes as f64 / steps as f64)
}
