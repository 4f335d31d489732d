//! Every subcommand on programs in Calc, and in Calc and VLAD together.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;
use vlad_calc::Calc;
use vlad_shared::core::print as core_print;
use vlad_shared::frontend::languages::Languages;
use vlad_shared::frontend::load::{Expanded, Input, Options, expanded, load, load_kept};
use vlad_shared::language::named::check;
use vlad_shared::snapshot::capsule_file;

const PROGRAMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs");

/// A loop that ends after some thousand steps: Newton's iteration for the square root of 2, in both languages.
const NEWTON: &str = "use \"repeat.vlad\"\nbetter(x) = x - (x * x - 2) / (2 * x)\nrepeat(better, 500, 10)\n";
const REPEAT: &str = "(define (repeat f n x) (if (= n 0) x (repeat f (- n 1) (f x))))\n";

fn run(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vlad-calc"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that does not read its input may have ended.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// The output of a command that succeeds.
fn succeed(arguments: &[&str], input: &str) -> String {
    let output = run(arguments, input);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && errors.is_empty(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// The error of a command that fails.
fn fail(arguments: &[&str], input: &str) -> String {
    let output = run(arguments, input);
    assert!(!output.status.success(), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// A folder with some files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    files.iter().for_each(|(name, text)| fs::write(folder.path().join(name), text).unwrap());
    folder
}

fn inside(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_str().unwrap().to_owned()
}

fn core_of(name: &str, text: &str) -> String {
    let languages = Languages::and(&[&Calc]);
    let folder = folder(&[(name, text)]);
    let input = Input::Path(folder.path().join(name));
    let options = Options { languages, ..Options::default() };
    let Expanded { names, named, prelude, items } = expanded(input.clone(), &options).unwrap();
    check::check(&named, &names, prelude.into_iter().chain(items)).unwrap();
    core_print::print(&load(input, &options).unwrap())
}

#[test]
fn cases_of_both_languages_pass_on_all_engines() {
    let report = succeed(&["conform", PROGRAMS, "--engine", "interp", "--engine", "hybrid", "--engine", "native"], "");
    let files = fs::read_dir(PROGRAMS).unwrap().filter(|entry| entry.as_ref().unwrap().path().is_file()).count();
    assert!(files >= 5 && report.starts_with(&format!("{files} files in ")), "{report}");
}

#[test]
fn a_case_that_is_wrong_fails_and_can_be_rewritten() {
    let folder = folder(&[("wrong.calc", "1 + 1\n#[ expect: 3 ]#\n"), ("new.formulas", "2 * 3\n1 / x\n")]);
    let (wrong, new) = (inside(&folder, "wrong.calc"), inside(&folder, "new.formulas"));
    let engine = ["--engine", "interp"];
    assert!(!run(&[&["conform", &wrong], &engine[..]].concat(), "").status.success());
    succeed(&[&["conform", &wrong, "--update"], &engine[..]].concat(), "");
    assert_eq!(fs::read_to_string(&wrong).unwrap(), "1 + 1\n#[ expect: 2 ]#\n");
    succeed(&[&["conform", &new, "--new"], &engine[..]].concat(), "");
    let written = fs::read_to_string(&new).unwrap();
    assert!(written.starts_with("2 * 3\n1 / x\n#[ error: unbound 2:5-2:6 `x` is not defined"), "{written}");
}

#[test]
fn the_language_is_named_or_follows_from_the_extension() {
    let folder = folder(&[("a.calc", "1 + 2\n"), ("b.txt", "1 + 2\n"), ("c.vlad", "(+ 1 2)"), ("d.calc", "(+ 1 2)")]);
    let [a, b, c, d] = ["a.calc", "b.txt", "c.vlad", "d.calc"].map(|name| inside(&folder, name));
    assert_eq!(succeed(&[&a], ""), "3\n");
    assert_eq!(succeed(&["--language", "calc", &b], ""), "3\n");
    assert_eq!(succeed(&["run", &c], ""), "3\n");
    assert_eq!(succeed(&["run", "--language", "vlad", &d], ""), "3\n");
    assert_eq!(succeed(&["--language", "calc", "-"], "1 + 2\n"), "3\n");
    assert_eq!(succeed(&["--language", "calc", "-e", "1 + 2"], ""), "3\n");
    assert_eq!(succeed(&["-e", "(+ 1 2)"], ""), "3\n");
    assert!(fail(&["--language", "kalk", &a], "").contains("[possible values: vlad, fsmooth, farfel, calc]"));
    assert!(
        fail(&["conform", "--language", "kalk", &a], "").contains("[possible values: vlad, fsmooth, farfel, calc]")
    );
}

#[test]
fn both_languages_lead_to_the_same_core() {
    assert_eq!(
        core_of("a.calc", "f(x, y) = -x * (y + 1)\nk() = 2.5\nf(1, k())\n"),
        core_of("a.vlad", "(define (f x y) (* (- x) (+ y 1))) (define (k) 2.5) (f 1 (k))")
    );
}

#[test]
fn errors_are_shown_in_the_text() {
    let folder = folder(&[("a.calc", "f(x) = car(x)\nf(1 + 1)\n")]);
    let a = inside(&folder, "a.calc");
    for engine in ["interp", "hybrid", "native"] {
        let error = fail(&["--engine", engine, &a], "");
        assert!(error.contains("a.calc:2:1: f(1 + 1)"), "{error}");
        assert!(error.contains("`car` expects a pair, found 2") && error.contains("a.calc:1:8\n"), "{error}");
    }
    // As a text of VLAD it is another program.
    assert!(fail(&["check", &a, "--language", "vlad"], "").contains("`f` is not defined"));
    let output = run(&["check", "--language", "calc", "-e", "sin(1, 2)"], "");
    let warning = String::from_utf8(output.stderr).unwrap();
    assert!(warning.contains("`sin`") && warning.contains("sin(1, 2)"), "{warning}");
}

#[test]
fn every_representation_is_shown() {
    let folder = folder(&[("a.calc", "f(x) = x * sin(x)\nf(2)\n")]);
    let a = inside(&folder, "a.calc");
    let show = |what: &str| succeed(&["show", what, &a], "");
    assert!(show("tokens").starts_with("0: f\n1: (\n2: x\n"));
    assert_eq!(show("ast"), "(define f (lambda (x) (* (cons x (sin x)))))\n(f 2)\n".replace("(* (cons", "(#* (cons"));
    assert_eq!(show("named"), show("ast"));
    assert_eq!(show("core"), core_of("a.vlad", "(define (f x) (* x (sin x))) (f 2)"));
    assert!(show("cps").contains("sin"));
    assert!(show("c").contains("vlad_"));
    for mode in ["forward", "reverse"] {
        let code = succeed(&["show", mode, "--function", "f", &a], "");
        assert!(code.contains("; Procedures."), "{code}");
        // The transformed code is a program in VLAD.
        fs::write(folder.path().join("code.vlad"), format!("(define (f x) (* x (sin x)))\n{code}")).unwrap();
        succeed(&["check", &inside(&folder, "code.vlad")], "");
    }
}

#[test]
fn suspended_runs_keep_the_languages_of_their_texts() {
    let folder = folder(&[("newton.calc", NEWTON), ("repeat.vlad", REPEAT)]);
    let (program, capsule) = (inside(&folder, "newton.calc"), inside(&folder, "capsule"));
    let whole = succeed(&["--bits", &program], "");
    assert!(whole.starts_with("1.414213562373095"), "{whole}");
    for (first, second) in [("interp", "native"), ("hybrid", "interp"), ("native", "hybrid")] {
        succeed(&["suspend", "--after", "1000", "-o", &capsule, "--engine", first, &program], "");
        assert_eq!(succeed(&["resume", "--bits", "--engine", second, &capsule], ""), whole);
        assert_eq!(succeed(&["resume", "--bits", "--engine", second, &capsule, &program], ""), whole);
    }
    assert!(fail(&["resume", "--language", "calc", &capsule], "").contains("--language is for the program's file"));
    // A command without the language refuses it.
    let file = fs::read(&capsule).unwrap();
    let opened = capsule_file::open(&file).unwrap();
    assert_eq!(opened.languages().collect::<Vec<&str>>(), ["calc", "vlad"]);
    assert!(opened.program(|texts| load_kept(texts, Languages::default())).is_err());
    assert!(opened.program(|texts| load_kept(texts, Languages::and(&[&Calc]))).is_ok());
}

/// The process that compiles for a run of `auto` reads the program in its own language.
#[test]
fn programs_are_compiled_in_the_background() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vlad-calc"));
    let mut child = command.arg("compile-in-background").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let request = r#"{"sources": {"files": [["a.calc", "calc", "1 + 2\n"]], "inclusions": []}, "is_stoppable": false, "has_traps": false,
        "specialise": "Auto", "passes": "all", "compiler": null, "uses_cache": false, "time_limit": null, "memory_limit": null}"#;
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{}", request.replace('\n', " ")).unwrap();
    let mut kind = [0];
    child.stdout.take().unwrap().read_exact(&mut kind).unwrap();
    // The process ends with its input.
    drop(input);
    child.wait().unwrap();
    assert_eq!(kind, *b"o");
}

#[test]
fn derivatives_of_formulas_are_checked() {
    let folder = folder(&[("a.calc", "f(x, y) = x * x * y + sin(y)\n")]);
    let a = inside(&folder, "a.calc");
    // Expressions of options are in VLAD.
    let table = succeed(&["gradcheck", "--function", "f", "--at", "(cons 2 3)", &a], "");
    assert!(!table.contains("WRONG"), "{table}");
    let folder = self::folder(&[("b.calc", "use \"c.vlad\"\ng(x) = h(x) * x\n"), ("c.vlad", "(define (h x) (* x x))")]);
    let b = inside(&folder, "b.calc");
    let table = succeed(&["gradcheck", "--sandbox", "--function", "g", "--at", "2", &b], "");
    assert!(!table.contains("WRONG"), "{table}");
    let error = fail(&["gradcheck", "--function", "f", "--at", "2 3", &a], "");
    assert!(error.contains("`--at` expects one expression, found more"), "{error}");
}

#[test]
fn a_profile_and_statistics_are_made() {
    let folder = folder(&[("newton.calc", NEWTON), ("repeat.vlad", REPEAT)]);
    let program = inside(&folder, "newton.calc");
    assert!(run(&["profile", &program], "").status.success());
    assert!(String::from_utf8(run(&["--stats", &program], "").stderr).unwrap().contains("steps"));
    assert!(succeed(&["--json", &program], "").contains("1.414213562373095"));
}

#[test]
fn an_executable_runs_alone() {
    let folder = folder(&[("newton.calc", NEWTON), ("repeat.vlad", REPEAT)]);
    let (program, built) = (inside(&folder, "newton.calc"), inside(&folder, "newton"));
    for engine in ["hybrid", "auto"] {
        succeed(&["build", &program, "-o", &built, "--engine", engine], "");
        let output = Command::new(&built).env_clear().current_dir("/").stdin(Stdio::null()).output().unwrap();
        assert_eq!(output.stderr, b"", "{engine}");
        assert_eq!(output.stdout, run(&[&program], "").stdout);
        let ending = Command::new(&built).arg("--help").output().unwrap();
        assert!(ending.status.success() && String::from_utf8(ending.stdout).unwrap().contains("Usage: newton"));
    }
}

#[test]
fn deep_and_long_formulas_are_read() {
    let count = 100_000;
    for text in [
        format!("{}1{}\n", "(".repeat(count), ")".repeat(count)),
        format!("1{}\n", " + 1".repeat(count)),
        format!("{}1\n", "-".repeat(count)),
        format!("i(x) = x\n{}1{}\n", "i(".repeat(count), ")".repeat(count)),
    ] {
        let folder = folder(&[("deep.calc", &text)]);
        assert!(!succeed(&["--engine", "interp", &inside(&folder, "deep.calc")], "").is_empty());
    }
}

#[test]
fn a_chain_of_includes_of_both_languages_is_read() {
    let count = 2000;
    let folder = tempfile::tempdir().unwrap();
    let path = |number: usize| folder.path().join(format!("a{number}.{}", ["calc", "vlad"][number % 2]));
    for number in 0..count {
        let next = number + 1;
        let text = match number % 2 {
            0 => format!("use \"a{next}\"\nf{number}(x) = f{next}(x) + 1\n"),
            _ => format!("(include \"a{next}\") (define (f{number} x) (+ (f{next} x) 1))"),
        };
        // The name without extension is of the including file's language, so it is written out.
        let text = text.replace(&format!("\"a{next}\""), &format!("{:?}", path(next).file_name().unwrap()));
        fs::write(path(number), text).unwrap();
    }
    fs::write(path(count), format!("f{count}(x) = x\n")).unwrap();
    let main = folder.path().join("main.calc");
    fs::write(&main, "use \"a0.calc\"\nf0(1)\n").unwrap();
    assert_eq!(succeed(&[main.to_str().unwrap()], ""), format!("{}\n", count + 1));
}
