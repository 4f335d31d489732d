//! Prints a table of the time of the command `vlad` from its start to its exit for a program of ten lines; with
//! `--corpus`, for the whole corpus as well.
//!
//! `cargo run --release -p vlad-benches --bin latency [TURNS] [--corpus]` prints Markdown, ready for `benches/record`:
//! medians of several turns; the corpus runs in one. The command is built first, and gets a cache of its own, initially
//! empty.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use vlad_benches::{Arguments, Vlad, fault, median, program_path};
use vlad_engines::Engine;

/// The targets in seconds for ten lines, compiled and from the cache, on the native engine.
const TEN_LINES_COMPILED: f64 = 0.3;
const TEN_LINES_CACHED: f64 = 0.02;

/// The targets in seconds for the corpus, with an empty cache and with the cache that the first run fills.
const CORPUS_COLD: f64 = 300.0;
const CORPUS_WARM: f64 = 60.0;

fn main() -> io::Result<()> {
    let arguments = Arguments::read(11, &["--corpus"])?;
    let vlad = Vlad::build()?;
    let mut out = io::stdout();
    writeln!(out, "| what | engine | turns | s | target |\n|---|---|---|---|---|")?;
    ten_lines(&vlad, arguments.turns, &mut out)?;
    if !arguments.words.is_empty() {
        corpus(&vlad, &mut out)?;
    }
    Ok(())
}

/// A way of running the ten lines.
struct Way {
    what: &'static str,
    engine: Engine,
    options: &'static [&'static str],
    target: Option<f64>,
}

/// The engines without a compiler show the cost of the process itself.
const WAYS: [Way; 4] = [
    Way { what: "ten lines", engine: Engine::Interp, options: &[], target: None },
    Way { what: "ten lines", engine: Engine::Hybrid, options: &[], target: None },
    Way {
        what: "ten lines, compiled (`--no-cache`)",
        engine: Engine::Native,
        options: &["--no-cache"],
        target: Some(TEN_LINES_COMPILED),
    },
    Way { what: "ten lines, cached", engine: Engine::Native, options: &[], target: Some(TEN_LINES_CACHED) },
];

fn ten_lines(vlad: &Vlad, turns: usize, out: &mut impl Write) -> io::Result<()> {
    let cache = tempfile::tempdir()?;
    let program = program_path("ten-lines");
    let run = |way: &Way| {
        let mut arguments = vec![OsStr::new("--engine"), OsStr::new(way.engine.name())];
        arguments.extend(way.options.iter().map(OsStr::new));
        arguments.push(program.as_os_str());
        vlad.run(&arguments, cache.path())
    };
    // The first run of each way fills the cache and the system's own, and is not counted.
    let mut expected: Option<String> = None;
    for way in &WAYS {
        let output = run(way)?.output;
        if *expected.get_or_insert_with(|| output.clone()) != output {
            return Err(fault(format!("{} on {} prints something else", way.what, way.engine)));
        }
    }
    if !holds_something(cache.path())? {
        return Err(fault("the cache stayed empty"));
    }
    let mut times = WAYS.map(|_| Vec::new());
    for _ in 0..turns {
        for (way, times) in WAYS.iter().zip(&mut times) {
            times.push(run(way)?.time.as_secs_f64());
        }
    }
    for (way, times) in WAYS.iter().zip(&times) {
        let target = way.target.map_or_else(String::new, |most| most.to_string());
        writeln!(out, "| {} | {} | {turns} | {:.4} | {target} |", way.what, way.engine, median(times))?;
    }
    Ok(())
}

fn holds_something(folder: &Path) -> io::Result<bool> {
    Ok(fs::read_dir(folder)?.next().is_some())
}

/// Runs `vlad conform` with an empty cache, and once more with the cache that this fills.
fn corpus(vlad: &Vlad, out: &mut impl Write) -> io::Result<()> {
    let cache = tempfile::tempdir()?;
    for (what, target) in [("cold", CORPUS_COLD), ("warm", CORPUS_WARM)] {
        let ran = vlad.run(&[OsStr::new("conform")], cache.path())?;
        writeln!(out, "| `vlad conform`, {what} | all | 1 | {:.1} | {target} |", ran.time.as_secs_f64())?;
        out.flush()?;
    }
    Ok(())
}
