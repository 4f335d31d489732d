//! Programs in plain Fortran 77: compiled by gfortran without a warning where it is installed, and compared with the engines.

use super::{archive, is_there};
use crate::{answer, answer_to, folder};
use rstest::rstest;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use vlad_shared::table::Arity;
use vlad_shared::table::operations::OPERATIONS;

/// The programs of the corpus that have no such form.
const REFUSED: [&str; 1] = ["printing-inside"];

/// The relative difference that is allowed with the functions of the Fortran compiler.
const TOLERANCE: f64 = 1e-12;

/// Returns true if there is a compiler; says so if there is none.
fn has_compiler() -> bool {
    let has = is_there("gfortran", "--version");
    if !has {
        eprintln!("not run: there is no gfortran");
    }
    has
}

/// Writes a program in plain Fortran, with functions of VLAD or of the system; the error if it is refused.
fn emitted(program: &Path, out: &Path, mathematics: &str) -> Result<PathBuf, String> {
    let _ = fs::remove_file(out.join("libp_math.a"));
    let (program, folder) = (program.to_str().unwrap(), out.to_str().unwrap());
    let answer = answer(&["emit", "fortran", program, "-o", folder, "--name", "p", "--math", mathematics]);
    if answer.code == Some(0) { Ok(out.join("p.f")) } else { Err(answer.errors) }
}

/// Compiles a program without a warning, and returns its output for an input, with its exit code.
fn output(source: &Path, optimisation: &str, input: &[u8]) -> (String, String, Option<i32>) {
    let binary = source.with_extension("out");
    let mut compiler = Command::new("gfortran");
    compiler.args(["-std=legacy", "-Wall", "-ffp-contract=off", optimisation]).arg(source);
    compiler.args(archive(source.parent().unwrap(), "p")).arg("-o").arg(&binary);
    let compiled = compiler.output().unwrap();
    let errors = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success() && errors.is_empty(), "{}: {errors}", source.display());
    let mut child = Command::new(&binary);
    let mut child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A program that reads nothing may end before it is given anything.
    let _ = std::io::Write::write_all(&mut child.stdin.take().unwrap(), input);
    let done = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(done.stdout), text(done.stderr), done.status.code())
}

fn number(text: &str) -> Option<f64> {
    match text {
        "+nan.0" => Some(f64::NAN),
        "+inf.0" => Some(f64::INFINITY),
        "-inf.0" => Some(f64::NEG_INFINITY),
        text => text.parse().ok(),
    }
}

/// Returns true if two texts have the same words, and numbers that differ by a tolerance at most.
fn agree(one: &str, other: &str, tolerance: f64) -> bool {
    let words = |text: &str| -> Vec<Vec<String>> {
        text.lines().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
    };
    let (one, other) = (words(one), words(other));
    let same = |(a, b): (&String, &String)| match (number(a), number(b)) {
        (Some(a), Some(b)) => a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= tolerance * a.abs().max(b.abs()),
        _ => a == b,
    };
    one.len() == other.len()
        && one.iter().zip(&other).all(|(one, other)| one.len() == other.len() && one.iter().zip(other).all(same))
}

/// Compares a program on the engines and in plain Fortran, to the bit with the functions of VLAD; false if it has no such form.
fn compare(program: &Path, out: &Path, mathematics: &str) -> bool {
    let text = fs::read_to_string(program).unwrap();
    let input: String =
        text.lines().filter_map(|line| line.strip_prefix("!! input: ")).map(|line| format!("{line}\n")).collect();
    let name = program.display();
    let Ok(source) = emitted(program, out, mathematics) else { return false };
    let expected = answer_to(&[program.to_str().unwrap()], input.as_bytes()).succeeded();
    let (found, errors, code) = output(&source, "-O0", input.as_bytes());
    assert_eq!(code, Some(0), "{name}: {errors}");
    let tolerance = if mathematics == "system" { TOLERANCE } else { 0.0 };
    assert!(agree(&found, &expected, tolerance), "{name}: expected\n{expected}found\n{found}");
    true
}

#[rstest]
#[case("arithmetic", &[])]
#[case("arrays", &[])]
// Programs that stop whatever they read have no value, and no form in Fortran.
#[case("control", &["stop-in-a-function", "stop-in-a-subprogram"])]
#[case("differentiation", &REFUSED)]
#[case("input", &[])]
#[case("listing", &[])]
#[case("procedures", &["man-or-boy-read"])]
#[case("scope", &[])]
#[case("text", &[])]
#[case("types", &[])]
fn programs_of_the_corpus_agree(#[case] subject: &str, #[case] refused: &[&str]) {
    if !has_compiler() {
        return;
    }
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance/corpus/farfel").join(subject);
    let mut programs: Vec<PathBuf> = fs::read_dir(corpus).unwrap().map(|entry| entry.unwrap().path()).collect();
    programs.sort();
    programs.retain(|program| {
        program.extension().is_some_and(|extension| extension == "f")
            && !fs::read_to_string(program).unwrap().contains("\n!! error: ")
    });
    let out = folder(&format!("plain_{subject}"), &[]);
    let mut left_out = vec![];
    for program in &programs {
        if !compare(program, &out, "vlad") {
            left_out.push(program.file_stem().unwrap().to_str().unwrap().to_owned());
        }
    }
    assert_eq!(left_out, refused);
    assert!(!programs.is_empty());
}

#[test]
fn examples_agree() {
    if !has_compiler() {
        return;
    }
    let out = folder("plain_examples", &[]);
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/farfel");
    for entry in fs::read_dir(examples).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "f") {
            for mathematics in ["vlad", "system"] {
                assert!(compare(&path, &out, mathematics), "{}", path.display());
            }
        }
    }
}

/// A program that applies all functions of the table, which VLAD has and Fortran in part, at some places; and powers.
fn functions() -> [(&'static str, String); 2] {
    let of_one =
        OPERATIONS.iter().filter(|row| row.operation.arity() == Arity::One && row.operation.function_in_c().is_some());
    let mut calls: Vec<String> =
        of_one.flat_map(|row| [format!("({} x)", row.name), format!("({} (/ x 9))", row.name)]).collect();
    let others =
        ["(atan x 3)", "(expt x 2.5)", "(expt x 3)", "(hypot x 2)", "(polygamma 1 x)", "(sqrt x)", "(round x)"];
    calls.extend(others.map(str::to_owned));
    let definitions = format!(
        "(define (list-of x)\n  (list {}))
(define (functions x v)
  (let loop ((all (list-of x)) (i 0) (v v))
    (if (null? all) v (loop (cdr all) (+ i 1) (vector-set v i (car all))))))\n",
        calls.join("\n    ")
    );
    let program = format!(
        "      INCLUDE 'functions.vlad'
      PROGRAM MAIN
      INTERFACE
        SUBROUTINE FUNCTIONS(X, V)
        REAL X, V(*)
        INTENT(IN) X
        INTENT(INOUT) V
        END
      END INTERFACE
      REAL V({})
      DO 10 I = 1, 20
        X = I*0.37
        CALL FUNCTIONS(X, V)
        PRINT *, V
   10 CONTINUE
      END\n",
        calls.len()
    );
    [("main.f", program), ("functions.vlad", definitions)]
}

#[test]
fn all_functions_have_the_bits_of_the_engines() {
    let [main, definitions] = &functions();
    let folder = folder("plain_functions", &[(main.0, &main.1), (definitions.0, &definitions.1)]);
    let main = folder.join("main.f");
    let refused = emitted(&main, &folder, "system").unwrap_err();
    assert!(refused.contains("Fortran has no function") && refused.contains("leave out `--math system`"), "{refused}");
    let text = fs::read_to_string(emitted(&main, &folder, "vlad").unwrap()).unwrap();
    assert!(text.contains("those of VLAD: link with\nC     libp_math.a."), "{text}");
    if has_compiler() {
        assert!(compare(&main, &folder, "vlad"));
    }
}

#[test]
fn programs_say_which_functions_they_call() {
    let texts = [("none.f", "PRINT *, 1.5\nEND\n"), ("sine.f", "READ *, X\nPRINT *, SIN(X)**3\nEND\n")];
    let folder = folder("plain_library", &texts);
    for (file, mathematics, told, has_archive) in [
        ("none.f", "vlad", "No mathematical function is called.", false),
        ("sine.f", "vlad", "those of VLAD", true),
        ("sine.f", "system", "those of the Fortran compiler", false),
    ] {
        let text = fs::read_to_string(emitted(&folder.join(file), &folder, mathematics).unwrap()).unwrap();
        assert!(text.contains(told), "{text}");
        assert_eq!(archive(&folder, "p").is_some(), has_archive, "{file} {mathematics}");
        assert_eq!(text.contains("VLSIN") && text.contains("VLPOW"), has_archive, "{text}");
        assert_eq!(text.contains("DSIN") && text.contains("**"), mathematics == "system", "{text}");
    }
}

/// Records of loops and of recursion, arrays that come and go a million times, a long call, an optimising compiler.
#[test]
fn storage_is_freed() {
    if !has_compiler() {
        return;
    }
    let program = "
      PROGRAM MAIN
      S = 0
      DO 10 I = 1, 30000
   10 S = S + F(S)
      PRINT *, S
      ADR (T)
        T = 1
        DO 20 I = 1, 20000
   20   T = SIN(T) + S
        T = T + G(S, 20)
      END ADR (D = COTANGENT(S))
      PRINT *, D
      END
      FUNCTION F(X)
      REAL A(1000)
      A(I1(X)) = X
      F = 1/(A(1) + 2)
      END
      INTEGER FUNCTION I1(X)
      I1 = 1
      IF (X .LT. 0) I1 = 2
      END
      FUNCTION G(X, N)
      G = X
      IF (N .GT. 0) G = SIN(X)*G(X, N - 1)
      END
";
    let folder = folder("plain_storage", &[("main.f", program)]);
    let source = emitted(&folder.join("main.f"), &folder, "vlad").unwrap();
    let expected = answer(&[folder.join("main.f").to_str().unwrap()]).succeeded();
    for optimisation in ["-O0", "-O2"] {
        let (found, errors, code) = output(&source, optimisation, b"");
        assert_eq!(code, Some(0), "{errors}");
        assert!(agree(&found, &expected, 0.0), "{found}{expected}");
    }
}

#[rstest]
#[case::index("REAL A(2)\nREAD *, I\nA(I) = 1\nPRINT *, A\nEND\n", b"3", ":3: it fails here")]
#[case::no_number("READ *, X\nPRINT *, X\nEND\n", b" \n\n", "no number left")]
#[case::no_text("READ *, X\nPRINT *, X\nEND\n", b"1.5 word", "")]
#[case::word("READ *, X, Y\nPRINT *, X\nEND\n", b"1.5 word", "something else than a number")]
fn failures_are_told(#[case] program: &str, #[case] input: &[u8], #[case] told: &str) {
    if !has_compiler() {
        return;
    }
    let folder = folder(&format!("plain_failure_{}", told.len()), &[("main.f", program)]);
    let source = emitted(&folder.join("main.f"), &folder, "vlad").unwrap();
    let (found, errors, code) = output(&source, "-O0", input);
    if told.is_empty() {
        assert_eq!((found.as_str(), code), ("1.5000000000000000E+000\n", Some(0)));
    } else {
        assert_eq!(code, Some(1), "{found}{errors}");
        assert!(errors.contains(told.trim_start_matches(":3")), "{errors}");
    }
}

#[test]
fn programs_without_that_form_are_refused() {
    let folder =
        folder("plain_refused", &[("main.vlad", "(define (f x) x) (f 1)"), ("none.f", "FUNCTION F(X)\nF = X\nEND\n")]);
    for (file, reason) in [("main.vlad", "not printed by PRINT"), ("none.f", "no main program")] {
        let error = emitted(&folder.join(file), &folder.join("out"), "vlad").unwrap_err();
        assert!(error.contains("cannot be written in plain Fortran") && error.contains(reason), "{error}");
    }
    let missing = answer(&["emit", "c", folder.join("none.f").to_str().unwrap(), "-o", "out"]);
    assert_eq!(missing.code, Some(2));
    assert!(missing.errors.contains("an export is missing"), "{}", missing.errors);
}
