//! Libraries that come with vlad: included by name, distinguished from files, kept in the capsules of suspended runs.

use crate::{answer, answer_to, folder, vlad};
use rstest::rstest;
use std::fs;

const PROGRAM: &str = "(include \"linear-algebra\")
(define (weight x) (write (* x x)))
(cdr (*j (lambda (v) (vector-map sin v)) #(0 1) #(1 0)))
(vector-map weight #(1 2 3))
";
const OUTPUT: &str = "#(1 0)\n1\n4\n9\n#(1 4 9)\n";

#[rstest]
#[case::interp("interp")]
#[case::hybrid("hybrid")]
#[case::native("native")]
fn a_library_is_there_wherever_the_program_stands(#[case] engine: &str) {
    assert_eq!(answer_to(&["--engine", engine, "-"], PROGRAM.as_bytes()).succeeded(), OUTPUT);
    let folder = folder(&format!("library_{engine}"), &[("p.vlad", PROGRAM)]);
    let path = folder.join("p.vlad");
    assert_eq!(answer(&["--engine", engine, path.to_str().unwrap()]).succeeded(), OUTPUT);
    let ending = "(include \"linear-algebra.vlad\") (include \"linear-algebra\") (vector-map - (vector 1))";
    assert_eq!(answer(&["--engine", engine, "-e", ending]).succeeded(), "#(-1)\n");
}

#[rstest]
#[case::interp("interp", "hybrid")]
#[case::hybrid("hybrid", "native")]
#[case::native("native", "interp")]
fn a_suspended_run_keeps_its_library(#[case] first: &str, #[case] second: &str) {
    let folder = folder(&format!("library_kept_{first}"), &[("p.vlad", PROGRAM)]);
    let (program, capsule) = (folder.join("p.vlad"), folder.join("a.capsule"));
    let (program, capsule) = (program.to_str().unwrap(), capsule.to_str().unwrap());
    let stats = answer(&["--engine", first, "--stats", program]).errors;
    let steps: u64 = stats.lines().find_map(|line| line.strip_prefix("steps: ")).unwrap().parse().unwrap();
    for after in (0..steps).step_by(5) {
        let suspend = ["suspend", program, "--engine", first, "--after", &after.to_string(), "-o", capsule];
        // If the run continues to the end of an operator, a note reports that.
        let begun = answer(&suspend);
        assert_eq!(begun.code, Some(0), "{}", begun.errors);
        // A file of that name in the folder changes nothing now.
        fs::write(folder.join("linear-algebra"), "(").unwrap();
        let rest = answer(&["resume", capsule, "--engine", second]).succeeded();
        assert_eq!(begun.output + &rest, OUTPUT, "after {after}");
        fs::remove_file(folder.join("linear-algebra")).unwrap();
    }
}

#[test]
fn files_come_first() {
    let here = folder(
        "library_or_file",
        &[
            ("p.vlad", "(include \"linear-algebra\") here"),
            ("linear-algebra", "(define here 1)"),
            ("below/p.vlad", "(include \"linear-algebra\") here"),
            ("given/linear-algebra", "(define here 2)"),
        ],
    );
    let run = |arguments: &[&str]| vlad().current_dir(&here).args(arguments).output().unwrap().into();
    let succeeded = |arguments: &[&str]| crate::Answer::succeeded(run(arguments));
    assert_eq!(succeeded(&["--engine", "interp", "p.vlad"]), "1\n");
    assert_eq!(succeeded(&["--engine", "interp", "-I", "given", "below/p.vlad"]), "2\n");
    let error = crate::Answer::failed(run(&["check", "below/p.vlad"]), "", "error[unbound]: `here`");
    assert!(error.contains("p.vlad:1:28"), "{error}");
}

#[test]
fn errors_name_the_library() {
    let error = answer(&["-e", "(include \"linear\")"]).failed("", "error[file]: there is no file `linear`");
    assert!(error.contains("libraries that come with vlad are `linear-algebra`"), "{error}");
    let fault = "(include \"linear-algebra\") (vector-map car #(1))";
    let error = answer(&["--engine", "interp", "-e", fault]).failed("", "error[type]: `car` expects a pair");
    assert!(error.contains("--> <expression>:1:28"), "{error}");
    let inside = error.split("inside `vector-map`").nth(1).unwrap();
    assert!(inside.contains("--> <linear-algebra>:"), "{error}");
    let twice = "(include \"linear-algebra\") (define (vector-map f v) v)";
    assert_eq!(answer(&["-e", twice]).succeeded(), "");
    let error =
        answer(&["check", "--deny", "warnings", "-e", twice]).failed("", "warning[shadowing]: `vector-map` means");
    assert!(error.contains("<expression>:1:37") && error.contains("<linear-algebra>:"), "{error}");
}
