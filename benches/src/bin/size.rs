//! Prints tables of the cost of large programs: the front end, at a size, twice and four times it; the engines, at one
//! size.
//!
//! `cargo run --release -p vlad-benches --bin size [TURNS] [--engines]` prints Markdown, ready for `benches/record`;
//! `--engines` adds the second table, for which the command is built first. Loading is measured in this process, by CPU
//! time; the engines are measured as processes, by the report of `--stats`. A refusal of the native engine is shown in
//! its words.

use rustix::time::{ClockId, clock_gettime};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use vlad_benches::{Arguments, Vlad, fault, median};
use vlad_conformance::large::{BROKEN, ProgramFamily, SOUND};
use vlad_engines::Engine;
use vlad_shared::core::render::{Style, render};
use vlad_shared::frontend::load::{Input, Options, load};

/// The approximate size in bytes of the smallest program of a kind.
const BYTES: usize = 2_500_000;

/// The target of the front end: the minimal speed in megabytes (10^6 bytes) per second.
const TARGET: f64 = 10.0;

/// The sizes of programs for engines: for the evaluators, and for the compiler.
const EVALUATED: usize = 100_000;
const COMPILED: usize = 10_000;

fn main() -> io::Result<()> {
    let arguments = Arguments::read(3, &["--engines"])?;
    if cfg!(debug_assertions) {
        return Err(fault("measurements are of release builds: cargo run --release"));
    }
    let mut out = io::stdout();
    writeln!(out, "| text | MB | s | twice, s | four times, s | MB/s | target |\n|---|---|---|---|---|---|---|")?;
    for shape in SOUND.iter().chain(&BROKEN) {
        front_end(shape, arguments.turns, &mut out)?;
    }
    if !arguments.words.is_empty() {
        engines(&mut out)?;
    }
    Ok(())
}

/// The size parameter at which a kind of program has about `bytes` bytes.
fn size_of(shape: &ProgramFamily, bytes: usize) -> usize {
    let (small, large) = ((shape.text)(1_000).len(), (shape.text)(2_000).len());
    // A kind that hardly grows is large at any parameter.
    1_000 * bytes / (large - small).max(1_000)
}

fn front_end(shape: &ProgramFamily, turns: usize, out: &mut impl Write) -> io::Result<()> {
    let size = size_of(shape, BYTES);
    let mut figures = [(0, 0.0); 3];
    for (times, figure) in [1, 2, 4].into_iter().zip(&mut figures) {
        let text = (shape.text)(size * times);
        let seconds: Vec<f64> = (0..turns).map(|_| seconds_of_loading(&text)).collect();
        *figure = (text.len(), median(&seconds));
    }
    let [(bytes, first), (_, second), (most, third)] = figures;
    let speed = most as f64 / 1e6 / third;
    let megabytes = bytes as f64 / 1e6;
    writeln!(
        out,
        "| {} | {megabytes:.1} | {first:.3} | {second:.3} | {third:.3} | {speed:.0} | {TARGET:.0} |",
        shape.name
    )?;
    out.flush()
}

/// The CPU time of this thread in seconds, independent of the machine's load.
fn thread_cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// The CPU time to load a program, or to render its diagnostics.
fn seconds_of_loading(text: &str) -> f64 {
    let bytes = text.as_bytes().to_vec();
    let begun = thread_cpu_seconds();
    match load(Input::Text { name: "program".to_owned(), bytes, folder: None }, &Options::default()) {
        Ok(program) => drop(program),
        Err(failure) => drop(render(&failure.diagnostics, &failure.sources, Style::Plain)),
    }
    thread_cpu_seconds() - begun
}

fn engines(out: &mut impl Write) -> io::Result<()> {
    let (vlad, cache) = (Vlad::build()?, tempfile::tempdir()?);
    writeln!(out, "\n| program | size | engine | loading, s | running, s | peak, MB |\n|---|---|---|---|---|---|")?;
    for shape in &SOUND {
        for (engine, size) in [
            (Engine::Interp, EVALUATED),
            (Engine::Hybrid, EVALUATED),
            (Engine::Native, COMPILED),
            (Engine::Native, EVALUATED),
        ] {
            let file = cache.path().join("program.vlad");
            fs::write(&file, (shape.text)(size))?;
            let options = ["--engine", engine.name(), "--no-cache", "--stats"].map(OsStr::new);
            let what = match vlad.run(&[&options[..], &[file.as_os_str()]].concat(), cache.path()) {
                Ok(ran) if ran.output.lines().last() == Some((shape.prints)(size).as_str()) => {
                    let seconds = ran.statistic("time")?;
                    let loading = ran.time.as_secs_f64() - seconds;
                    format!("{loading:.2} | {seconds:.2} | {:.0}", ran.statistic("peak memory")? / 1e6)
                }
                Ok(_) => return Err(fault(format!("{} prints something else on {engine}", shape.name))),
                Err(error) => match refusal(&error.to_string()) {
                    Some(refusal) if engine == Engine::Native => format!("{refusal} | | "),
                    Some(_) | None => return Err(error),
                },
            };
            writeln!(out, "| {} | {size} | {engine} | {what} |", shape.name)?;
            out.flush()?;
        }
    }
    Ok(())
}

/// The line that says why the compiler was not run, or has failed.
fn refusal(told: &str) -> Option<&str> {
    told.lines().find_map(|line| line.strip_prefix("error[compiler]: "))
}
