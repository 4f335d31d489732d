//! `vlad emit`: exported procedures are compiled by the C compiler of the system, called, and compared with `vlad`.

mod bits;
mod calls;
mod elements;
mod fast_paths;
mod fsmooth;
mod languages;
mod libraries;
mod packed;
mod parameters;
mod plain_fortran;
mod ranks;
mod refusals;
mod rows;
mod sparse;

use crate::{Answer, answer, folder};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The flags that the headers name.
const FLAGS: [&str; 6] =
    ["-std=c17", "-O2", "-ffp-contract=off", "-fno-builtin", "-fno-math-errno", "-fno-trapping-math"];

/// Those that make C abort where it does what is not defined; not optimised, which would take thrice as long to compile.
const SANITISED: [&str; 3] = ["-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover"];

/// Runs `vlad emit` for a target and a program in the file `model.vlad`, into the folder `out` beside it.
fn emit(target: &str, name: &str, program: &str, options: &[&str]) -> (Answer, PathBuf) {
    let folder = folder(name, &[("model.vlad", program)]);
    let (file, out) = (folder.join("model.vlad"), folder.join("out"));
    let mut arguments = vec!["emit", target, file.to_str().unwrap(), "-o", out.to_str().unwrap()];
    arguments.extend(options);
    (answer(&arguments), out)
}

/// The same for C and some exports, which must succeed.
fn emitted(name: &str, program: &str, exports: &[&str]) -> PathBuf {
    let options: Vec<&str> = exports.iter().flat_map(|export| ["--export", *export]).collect();
    let (answer, out) = emit("c", name, program, &options);
    assert_eq!(answer.succeeded(), "");
    out
}

/// Compiles a driver with the C of a folder, without a warning, and returns the program. The driver is not optimised: it is
/// often longer than that C, and only passes numbers to it.
fn compiled(compiler: &str, flags: &[&str], out: &Path, driver: &str) -> PathBuf {
    let (source, object) = (out.join("driver.c"), out.join(format!("driver-{compiler}.o")));
    let binary = out.join(format!("driver-{compiler}"));
    std::fs::write(&source, driver).unwrap();
    compile(compiler, flags, |command| command.args(["-O0", "-c"]).arg(&source).arg("-o").arg(&object));
    // Drivers with formulas of their own take functions of the C library, or those that the exports have.
    let libraries = if driver.contains("<math.h>") { &["-lm"][..] } else { &[] };
    compile(compiler, flags, |command| {
        command.arg(&object).arg(out.join("model.c")).args(archive(out, "model")).arg("-o").arg(&binary);
        command.args(libraries).arg("-pthread")
    });
    binary
}

/// The archive of a set, if it has one.
fn archive(out: &Path, set: &str) -> Option<PathBuf> {
    Some(out.join(format!("lib{set}_math.a"))).filter(|archive| archive.exists())
}

/// The C that tells the sizes of an export's results.
fn code_of_sizes(out: &Path, export: &str) -> String {
    let text = std::fs::read_to_string(out.join("model.c")).unwrap();
    let code = text.split_once("/* The code of the exports. */").unwrap().1;
    let leaves = code.split_once(&format!("static void vlad_leaves_{export}_sizes")).unwrap();
    let item = leaves.1.split_once(" value = ").unwrap().1.split_once('(').unwrap().0;
    leaves.0.rsplit_once(&format!("{item}(struct vlad_machine *m) {{")).unwrap().1.to_owned()
}

/// Runs a C compiler, which must warn of nothing.
fn compile(compiler: &str, flags: &[&str], arguments: impl FnOnce(&mut Command) -> &mut Command) {
    let mut command = Command::new(compiler);
    let output = arguments(command.args(flags).args(["-Wall", "-Wextra"])).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{compiler}: {errors}");
    // The tiny compiler does not know that some functions do not return.
    assert!(compiler == "tcc" || errors.is_empty(), "{compiler}: {errors}");
}

/// Runs a program, and returns its output.
fn output(binary: &Path) -> String {
    let output = Command::new(binary).output().unwrap();
    assert!(output.status.success(), "{}: {}", output.status, String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Compiles a driver with the C compiler of the system and runs it.
fn run(out: &Path, driver: &str) -> String {
    output(&compiled("cc", &FLAGS, out, driver))
}

/// Returns true if a program can be run.
fn is_there(program: &str, argument: &str) -> bool {
    Command::new(program).arg(argument).output().is_ok_and(|output| output.status.success())
}
