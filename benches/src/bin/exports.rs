//! Prints the time of calls of exported gradients, from C and, where there is python3 with numpy, from Python, beside the
//! same computation by hand.
//!
//! `cargo run --release -p vlad-benches --bin exports` prints Markdown, ready for `benches/record`. The programs are in
//! `benches/exports`; only C that they contain is measured, so the build of this program has no influence.

use std::io::{self, Write};
use std::path::Path;
use std::process::Command;
use std::{env, fs};
use vlad_benches::{fault, root};
use vlad_compiler::Passes;
use vlad_compiler::export::files::File;
use vlad_compiler::export::mathematics::Mathematics;
use vlad_compiler::export::{Arithmetic, ExportSet, Request, c_files, python_files};
use vlad_shared::core::Program;
use vlad_shared::frontend::load::{Input, Options, load_with};
use vlad_shared::frontend::vlad::appendix::{Appendix, GivenExpression, Part};
use vlad_shared::language::Usage;

/// The exports.
const EXPORTS: [&str; 3] = [
    "slope=(derivative cubic):real->real",
    "product=(lambda (x y) (cdr (*j product (cons x y) 1))):real,real->(real . real)",
    "squares=(gradient squares):vector->vector",
];

/// The most that a call may take, in nanoseconds, beyond the computation: from C, and from Python.
const MOST: [f64; 2] = [50.0, 5000.0];

fn main() -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    let mut out = io::stdout();
    writeln!(out, "| from | arithmetic | call | ns a call | ns by hand | difference | target |")?;
    writeln!(out, "|---|---|---|---|---|---|---|")?;
    for (arithmetic, name) in [(Arithmetic::Strict, "strict"), (Arithmetic::Relaxed, "relaxed")] {
        let of = folder.path().join(name);
        rows(&mut out, ["C", name], MOST[0], &from_c(&of, arithmetic)?)?;
    }
    match from_python(&folder.path().join("python"))? {
        Some(printed) => rows(&mut out, ["Python", "strict"], MOST[1], &printed),
        None => writeln!(out, "\nThere is no python3 with numpy and pip."),
    }
}

/// Prints the rows of a table, of lines with a name and two numbers.
fn rows(out: &mut impl Write, [from, arithmetic]: [&str; 2], most: f64, printed: &str) -> io::Result<()> {
    for line in printed.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [name, call, by_hand] = words.as_slice() else { return Err(fault(format!("a line is `{line}`"))) };
        let number = |text: &str| text.parse::<f64>().map_err(fault);
        let (call, by_hand) = (number(call)?, number(by_hand)?);
        let (name, difference) = (name.replace('_', " "), call - by_hand);
        writeln!(out, "| {from} | {arithmetic} | {name} | {call:.1} | {by_hand:.1} | {difference:.1} | {most} |")?;
    }
    Ok(())
}

fn program(requests: &[Request]) -> io::Result<Program> {
    let (mut given, mut made) = (Vec::new(), Vec::new());
    for request in requests {
        let first = given.len();
        let appended = request.appended().into_iter();
        given.extend(appended.map(|appended| GivenExpression {
            name: appended.name,
            text: appended.text,
            usage: Usage::Value,
        }));
        made.push((first..given.len()).map(Part::Given).collect());
    }
    let input = Input::Path(root().join("benches/exports/model.vlad"));
    load_with(input, &Options::default(), &Appendix { given, made, shown: None })
        .map_err(|failure| fault(format!("{:?}", failure.diagnostics)))
}

/// Writes an export set.
fn write(folder: &Path, arithmetic: Arithmetic, files: fn(&ExportSet<'_>) -> Vec<File>) -> io::Result<ExportFlags> {
    let requests: Result<Vec<Request>, String> = EXPORTS.iter().map(|text| Request::parse(text)).collect();
    let requests = requests.map_err(fault)?;
    let program = program(&requests)?;
    let set = ExportSet::new("model", &program, &requests, Passes::ALL, arithmetic, Mathematics::Vlad)
        .map_err(|refusals| fault(format!("{refusals:?}")))?;
    for file in files(&set) {
        let path = folder.join(&file.path);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(path, file.bytes().ok_or_else(|| fault("no archive of mathematical functions"))?)?;
    }
    Ok(ExportFlags(arithmetic.flags()))
}

/// The flags for the C compiler.
struct ExportFlags(Vec<&'static str>);

fn from_c(folder: &Path, arithmetic: Arithmetic) -> io::Result<String> {
    let ExportFlags(flags) = write(folder, arithmetic, c_files)?;
    let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut command = Command::new(compiler);
    command.args(flags).arg("-I").arg(folder).arg(root().join("benches/exports/driver.c"));
    command.args(["model.c", "libmodel_math.a"].map(|file| folder.join(file)));
    command.arg("-o").arg(folder.join("driver")).arg("-lm");
    output(&mut command)?;
    output(&mut Command::new(folder.join("driver")))
}

/// The figures of Python; none if it has not all that is needed.
fn from_python(folder: &Path) -> io::Result<Option<String>> {
    let python = env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    if !Command::new(&python).args(["-c", "import numpy, pip"]).output().is_ok_and(|found| found.status.success()) {
        return Ok(None);
    }
    write(folder, Arithmetic::Strict, python_files)?;
    let site = folder.join("site");
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--disable-pip-version-check", "--target"]);
    output(pip.arg(&site).arg(folder))?;
    let mut calls = Command::new(&python);
    output(calls.arg(root().join("benches/exports/calls.py")).env("PYTHONPATH", &site)).map(Some)
}

/// The standard output of a command that must succeed.
fn output(command: &mut Command) -> io::Result<String> {
    let output = command.output()?;
    match output.status.success() {
        true => String::from_utf8(output.stdout).map_err(fault),
        false => Err(fault(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)))),
    }
}
