//! Running programs: their sources, their output and its destination.

use crate::{Answer, answer, answer_to, folder, vlad};
use rstest::rstest;
use std::fs;

#[rstest]
#[case::value(&["-e", "(+ 1 2)"], "3\n")]
#[case::negative_number(&["-e", "-1"], "-1\n")]
#[case::with_the_subcommand(&["run", "-e", "'(1 2)"], "(1 2)\n")]
#[case::several(&["-e", "(define x 2) (* x x) (< x 3)"], "4\n#t\n")]
#[case::nothing(&["-e", ""], "")]
#[case::written(&["-e", "(+ (write-real 1) 2)"], "1\n3\n")]
#[case::the_engine(&["--engine", "interp", "-e", "1"], "1\n")]
#[case::bits(&["--bits", "-e", "(cons 0.1 #t)"], "(0.1[3fb999999999999a] . #t)\n")]
#[case::own_notation(
    &["--language", "fsmooth", "--notation", "own", "-e", "([| 1; -2.5 |], 1 < 2)\n[| |]\n(1, (2 / 0, -0.0))"],
    "([| 1; -2.5 |], true)\n[| |]\n(1, ((1.0 / 0.0), -0))\n"
)]
#[case::own_notation_with_bits(
    &["--language", "fsmooth", "--notation", "own", "--bits", "-e", "[| 0.5 |]"], "[| 0.5[3fe0000000000000] |]\n"
)]
#[case::other_notation(&["--language", "fsmooth", "--notation", "vlad", "-e", "[| 1; 2 |]"], "#(1 2)\n")]
#[case::own_notation_of_vlad(&["--notation", "own", "-e", "(cons 1 #t)"], "(1 . #t)\n")]
#[case::derivative(&["-e", "(j* sin 0 1)"], "(0 . 1)\n")]
fn an_expression_is_run(#[case] arguments: &[&str], #[case] output: &str) {
    assert_eq!(answer(arguments).succeeded(), output);
}

#[test]
fn a_file_is_run() {
    let folder = folder("file", &[("p.vlad", "(define (f x) (* 2 x))\n(f (read-real))\n(f (read-real))")]);
    let file = folder.join("p.vlad");
    let file = file.to_str().unwrap();
    assert_eq!(answer_to(&[file], b"3 4").succeeded(), "6\n8\n");
    assert_eq!(answer_to(&["run", file], b" \n-1e3\t4 5").succeeded(), "-2000\n8\n");
    let errors = answer_to(&[file], b"3").failed("6\n", "error[input]:");
    assert!(errors.contains("the end of the input") && errors.contains("p.vlad:3:4"), "{errors}");
    answer_to(&[file], b"three").failed("", "error[input]:");
}

#[test]
fn the_standard_input_may_be_the_program() {
    assert_eq!(answer_to(&["-"], b"(+ 1 2)").succeeded(), "3\n");
    assert_eq!(answer_to(&["run", "--bits", "-"], b"1").succeeded(), "1[3ff0000000000000]\n");
    let errors = answer_to(&["-"], b"1\n(read-real) 2").failed("1\n", "error[input]:");
    assert!(errors.contains("<stdin>:2:1"), "{errors}");
}

#[test]
fn files_are_included() {
    let folder = folder(
        "include",
        &[
            ("p.vlad", "(include \"near.vlad\") (include \"far.vlad\") (near (far 1))"),
            ("near.vlad", "(define (near x) (+ x 1))"),
            ("library/far.vlad", "(define (far x) (* x 10))"),
        ],
    );
    let file = folder.join("p.vlad");
    let library = folder.join("library");
    let (file, library) = (file.to_str().unwrap(), library.to_str().unwrap());
    assert_eq!(answer(&["-I", library, file]).succeeded(), "11\n");
    assert_eq!(answer(&["check", file, "-I", library]).succeeded(), "");
    let errors = answer(&[file]).failed("", "error[file]:");
    assert!(errors.contains("p.vlad:1:32") && errors.contains("far.vlad"), "{errors}");
    // A program that is in no file includes files from the working directory of the command.
    let arguments = ["-e", "(include \"near.vlad\") (near 1)"];
    let answer: Answer = vlad().args(arguments).current_dir(&folder).output().unwrap().into();
    assert_eq!(answer.succeeded(), "2\n");
}

#[test]
fn files_are_included_without_their_extension() {
    let folder = folder(
        "include_short",
        &[
            ("p.vlad", "(include \"near\") (include \"far\") (near (far 1))"),
            ("near.vlad", "(define (near x) (+ x 1))"),
            ("library/far.vlad", "(include \"part/further\") (define (far x) (further x))"),
            ("library/part/further.vlad", "(define (further x) (* x 10))"),
            ("other/far", "(define (far x) (* x 100))"),
        ],
    );
    let run = |arguments: &[&str]| -> Answer { vlad().args(arguments).current_dir(&folder).output().unwrap().into() };
    for engine in ["interp", "hybrid", "native"] {
        assert_eq!(run(&["--engine", engine, "-I", "library", "-I", "other", "p.vlad"]).succeeded(), "11\n");
        assert_eq!(run(&["--engine", engine, "-I", "other", "-I", "library", "p.vlad"]).succeeded(), "101\n");
    }
    assert_eq!(run(&["check", "p.vlad", "-I", "library"]).succeeded(), "");
    assert!(run(&["show", "core", "p.vlad", "-I", "library"]).succeeded().contains("(define further@"));
    assert_eq!(run(&["-e", "(include \"near\") (near 1)"]).succeeded(), "2\n");
    // A suspended run keeps its included texts, even if the files change before it continues.
    let capsule = folder.join("a.capsule");
    let capsule = capsule.to_str().unwrap();
    let begun = run(&["suspend", "p.vlad", "-I", "library", "--engine", "interp", "--after", "1", "-o", capsule]);
    fs::write(folder.join("near"), "(").unwrap();
    assert_eq!(begun.succeeded() + &run(&["resume", capsule, "--engine", "hybrid"]).succeeded(), "11\n");
    let errors = run(&["p.vlad", "-I", "library"]).failed("", "error[read]:");
    assert!(errors.contains("near:1:1"), "{errors}");
}

#[rstest]
#[case::missing("missing.vlad")]
#[case::a_folder(".")]
fn a_file_that_cannot_be_read_is_an_error(#[case] file: &str) {
    let errors = answer(&["run", file]).failed("", "error[file]:");
    assert!(!errors.contains("-->"), "{errors}");
    answer(&["check", file]).failed("", "error[file]:");
    answer(&["show", "ast", file]).failed("", "error[file]:");
}

#[test]
fn a_run_fails_after_its_output() {
    let errors = answer(&["-e", "1\n(car 2)\n3"]).failed("1\n", "error[type]: `car` expects a pair, found 2\n");
    assert!(errors.contains("\n2 | (car 2)\n  | ^^^^^^^\n"), "{errors}");
}

#[test]
fn pending_calls_are_told_in_short() {
    let program = "(define (f n) (if (= n 0) (car n) (+ 1 (f (- n 1)))))\n(f 100000)";
    let errors = answer(&["-e", program]).failed("", "error[type]:");
    assert!(errors.contains("pending calls, innermost first:\n  in `f` at <expression>:1:"), "{errors}");
    assert!(errors.contains("more ...") && errors.contains("at <expression>:2:1: (f 100000)"), "{errors}");
    assert!(errors.lines().count() < 25, "{errors}");
}

#[test]
fn a_text_that_is_no_program_is_not_run() {
    let errors = answer(&["-e", "(write 1) (f 1) (g 2)"]).failed("", "error[unbound]:");
    assert!(errors.contains("`f`") && errors.contains("`g`"), "{errors}");
    answer(&["-e", "(write 1) (+ 1"]).failed("", "error[read]:");
    let many = "(f 1) ".repeat(100_000);
    let errors = answer_to(&["-"], many.as_bytes()).failed("", "error[unbound]:");
    assert!(errors.len() < 10_000, "{}", errors.len());
}

#[test]
fn bytes_that_are_no_text_are_an_error() {
    let errors = answer_to(&["-"], b"(+ 1\n \xff 2)").failed("", "error[read]:");
    assert!(errors.contains("<stdin>:2:2"), "{errors}");
    answer_to(&["-"], b"\0\x1b[31m").failed("", "error[read]:");
}

#[test]
fn statistics_go_to_the_standard_error() {
    let answer = answer(&["--stats", "-e", "(+ 1 2)"]);
    assert_eq!((answer.code, answer.output.as_str()), (Some(0), "3\n"));
    // Application, `+`, the tuple of operands and the operands.
    assert!(answer.errors.contains("steps: 5\n"), "{}", answer.errors);
    assert!(answer.errors.contains("peak memory: ") && answer.errors.contains("time: "), "{}", answer.errors);
}

#[test]
fn errors_are_coloured_on_demand() {
    let coloured = answer(&["--color", "always", "-e", "(car 1)"]).failed("", "\x1b[1;31merror[type]");
    assert!(coloured.contains("\x1b["));
    for arguments in [&["-e", "(car 1)"][..], &["--color=never", "-e", "(car 1)"], &["--color=auto", "-e", "(car 1)"]] {
        assert!(!answer(arguments).failed("", "error[type]").contains('\x1b'), "{arguments:?}");
    }
    let forced = vlad().args(["--color", "always", "-e", "(car 1)"]).env("NO_COLOR", "1").output().unwrap();
    assert!(String::from_utf8(forced.stderr).unwrap().contains('\x1b'));
}
