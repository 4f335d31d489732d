//! Prints a table of the times of a first run of each example: the engine `auto` with an empty cache, against `hybrid`
//! and against `native` with an empty cache; and of `auto` with a cache that `native` has filled.
//!
//! `cargo run --release -p vlad-benches --bin cold [TURNS]` prints Markdown, ready for `benches/record`: medians of
//! several turns, in which the ways alternate. The last column is the time of a cold run of `auto` over the better of
//! `hybrid` and cold `native`.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use vlad_benches::{Arguments, Vlad, fault, median, program_path, root};

fn main() -> io::Result<()> {
    let arguments = Arguments::read(5, &[])?;
    let vlad = Vlad::build()?;
    let mut out = io::stdout();
    writeln!(
        out,
        "| example | hybrid, s | native cold | auto cold | auto warm | cold / best |\n|---|---|---|---|---|---|"
    )?;
    for program in examples()? {
        row(&vlad, &program, arguments.turns, &mut out)?;
        out.flush()?;
    }
    Ok(())
}

/// The examples to run, and the program of ten lines, by name.
fn examples() -> io::Result<Vec<PathBuf>> {
    let listed: io::Result<Vec<PathBuf>> =
        fs::read_dir(root().join("examples"))?.map(|entry| Ok(entry?.path())).collect();
    let mut programs = vec![program_path("ten-lines")];
    programs.extend(listed?.into_iter().filter(|path| path.extension() == Some(OsStr::new("vlad"))));
    programs.sort();
    Ok(programs)
}

/// The ways of running a program: the engine, with true for an empty cache. If false, a run of `native` fills the cache
/// before.
const WAYS: [(&str, bool); 4] = [("hybrid", true), ("native", true), ("auto", true), ("auto", false)];

fn row(vlad: &Vlad, program: &Path, turns: usize, out: &mut impl Write) -> io::Result<()> {
    let mut times = WAYS.map(|_| Vec::new());
    let mut expected: Option<String> = None;
    for _ in 0..turns {
        for ((engine, is_cold), times) in WAYS.iter().zip(&mut times) {
            let cache = tempfile::tempdir()?;
            let run = |engine: &str| {
                vlad.run(&[OsStr::new("--engine"), OsStr::new(engine), program.as_os_str()], cache.path())
            };
            if !is_cold {
                run("native")?;
            }
            let ran = run(engine)?;
            if *expected.get_or_insert_with(|| ran.output.clone()) != ran.output {
                return Err(fault(format!("{} on {engine} prints something else", program.display())));
            }
            times.push(ran.time.as_secs_f64());
        }
    }
    let [hybrid, native, cold, warm] = times.map(|times| median(&times));
    let name = program.file_stem().unwrap_or_default().to_string_lossy();
    let ratio = cold / hybrid.min(native);
    writeln!(out, "| {name} | {hybrid:.3} | {native:.3} | {cold:.3} | {warm:.3} | {ratio:.2} |")
}
