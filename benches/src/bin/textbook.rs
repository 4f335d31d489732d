//! Prints the processor times of textbook programs on the engines relative to those of Chez Scheme, which runs the same texts.
//!
//! `cargo run --release -p vlad-benches --bin textbook [TURNS]` prints Markdown, ready for `benches/record`. The programs are in
//! `benches/programs/textbook`; a line of each gives its input. A time is the least of several turns, in each of which all run one
//! after the other, of a process whose program is compiled, less that with the input [`IDLE`]. Chez reads numbers as exact integers
//! where they are whole, and quotients rounded down are integer divisions there, as a Scheme program has them.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use vlad_benches::{Arguments, Vlad, fault, root};

/// An input that leaves next to nothing to do.
const IDLE: &str = "3";

/// The definitions with which Chez Scheme runs the texts.
const CHEZ: &str = "(define read-real read)
(define real-floor floor)
(define-syntax floor (syntax-rules (/) ((_ (/ a b)) (quotient a b)) ((_ x) (real-floor x))))
";

/// The engines, as words of the command.
const ENGINES: [&[&str]; 4] = [&["native"], &["native", "--specialise", "never"], &["hybrid"], &["auto"]];

fn main() -> io::Result<()> {
    let turns = Arguments::read(5, &[])?.turns;
    let (vlad, chez) = (Vlad::build()?, Vlad::at(PathBuf::from("scheme")));
    let folder = tempfile::tempdir()?;
    let mut out = io::stdout();
    writeln!(out, "| program | input | Chez, s | native / Chez | tagged / Chez | hybrid / Chez | auto / best |")?;
    writeln!(out, "|---|---|---|---|---|---|---|")?;
    let mut programs = fs::read_dir(root().join("benches/programs/textbook"))?
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<Vec<PathBuf>>>()?;
    programs.sort();
    for program in programs {
        writeln!(out, "{}", row(&program, turns, (&vlad, &chez), folder.path())?)?;
        out.flush()?;
    }
    Ok(())
}

/// Measures a program in turns.
fn row(program: &Path, turns: usize, (vlad, chez): (&Vlad, &Vlad), folder: &Path) -> io::Result<String> {
    let text = fs::read_to_string(program)?;
    let name = program.file_stem().unwrap_or_default().to_string_lossy();
    let input = text.lines().find_map(|line| line.strip_prefix(";; input: "));
    let input = input.ok_or_else(|| fault(format!("{name} has no line with its input")))?;
    let script = folder.join("program.ss");
    let (definitions, expression) =
        text.trim_end().rsplit_once('\n').ok_or_else(|| fault(format!("{name} ends with an expression")))?;
    fs::write(&script, format!("{CHEZ}{definitions}\n(display {expression})\n"))?;
    let mut words: Vec<(&Vlad, Vec<&OsStr>)> = vec![(chez, vec![OsStr::new("--script"), script.as_os_str()])];
    for engine in ENGINES {
        let command = ["run", "--engine"].iter().chain(engine).map(OsStr::new);
        words.push((vlad, command.chain([program.as_os_str()]).collect()));
    }
    let mut least = vec![[f64::INFINITY; 2]; words.len()];
    let mut results = [None; 2];
    // The first turn compiles.
    for turn in 0..=turns {
        for ((command, words), least) in words.iter().zip(&mut least) {
            for ((input, least), result) in [input, IDLE].into_iter().zip(least).zip(&mut results) {
                let ran = command.run_on(input, words, folder)?;
                let number: Option<f64> = ran.output.trim().parse().ok();
                if number.is_none() || *result.get_or_insert(number) != number {
                    return Err(fault(format!("{name} {input} has other results: {words:?} printed {}", ran.output)));
                }
                if turn > 0 {
                    *least = least.min(ran.work.as_secs_f64());
                }
            }
        }
    }
    let times: Vec<f64> = least.into_iter().map(|[time, idle]| (time - idle).max(1e-4)).collect();
    let [chez, native, tagged, hybrid, auto] = times[..] else {
        return Err(fault("each command has a time"));
    };
    let best = native.min(tagged).min(hybrid);
    Ok(format!(
        "| {name} | {input} | {chez:.4} | {:.2} | {:.2} | {:.1} | {:.2} |",
        native / chez,
        tagged / chez,
        hybrid / chez,
        auto / best
    ))
}
