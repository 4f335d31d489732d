//! `--trap-nonfinite`: the first operation that makes a NaN or an infinity, with its place.

use crate::{answer, answer_of, folder, vlad};
use rstest::rstest;
use serde_json::Value;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

#[rstest]
#[case::value("(define (f x) (log (+ 1 (exp x))))\n(f 800)", "`exp` of 800 is +inf.0", "1:25")]
#[case::quotient("(/ 0 0)", "`/` of 0 and 0 is +nan.0", "1:1")]
#[case::forward("(j* (lambda (x) (sqrt x)) 0 1)", "in a derivative, a coefficient is +inf.0", "1:17")]
#[case::guard("(j* (lambda (x) (log x)) 5e-324 0)", "in a derivative, `/` of 1 and 5e-324 is +inf.0", "1:17")]
#[case::reverse("(*j (lambda (x) (sqrt x)) 0 1)", "in a derivative, a coefficient is +inf.0", "1:1")]
#[case::hidden(
    "(*j (lambda ((cons x y)) (+ (* 0 (sqrt x)) y)) (cons 0 1) 1)",
    "in a derivative, a coefficient is +inf.0",
    "1:1"
)]
#[case::difference("(define i +inf.0) (- i i)", "`-` of +inf.0 and +inf.0 is +nan.0", "1:19")]
#[case::reciprocal("(/ 0)", "`/` of 1 and 0 is +inf.0", "1:1")]
#[case::primitive_as_value("(map / (list 1 0))", "`/` of 1 and 0 is +inf.0 (at index 1 of `map`)", "1:1")]
#[case::sum_of_vectors("(plus (vector 2 1e308) (vector 2 1e308))", "`+` of 1e+308 and 1e+308 is +inf.0", "1:1")]
#[case::build("(build 3 (lambda (i) (/ 1 i)))", "`/` of 1 and 0 is +inf.0 (at index 0 of `build`)", "1:22")]
#[case::element("(*j (lambda (v) (asin (get v 0))) (vector 1) 1)", "in a derivative, `/` of 1 and 0 is +inf.0", "1:1")]
#[case::divided("(checkpoint-*j (lambda (x) (asin x)) 1 1)", "in a derivative, `/` of 1 and 0 is +inf.0", "1:1")]
#[case::forward_sum(
    "(j* (lambda (x) (+ (* 1e308 x) (* 1e308 x))) 1e-10 1)",
    "in a derivative, `+` of 1e+308 and 1e+308 is +inf.0",
    "1:17"
)]
#[case::reverse_sum(
    "(*j (lambda (x) (+ (* 1e308 x) (* 1e308 x))) 1e-10 1)",
    "in a derivative, `+` of 1e+308 and 1e+308 is +inf.0",
    "1:1"
)]
#[case::cotangents(
    "(*j (lambda (x) (vector x x)) 1 (vector 1e308 1e308))",
    "in a derivative, `+` of 1e+308 and 1e+308 is +inf.0",
    "1:1"
)]
#[case::guard_in_a_sweep(
    "(*j (lambda (x) (* x +inf.0)) 1 0)",
    "in a derivative, the product of +inf.0 and 0 counts as 0",
    "1:1"
)]
#[case::forward_in_forward(
    "(j* (lambda (x) (cdr (j* (lambda (y) (sqrt y)) x 1))) 0 1)",
    "in a derivative, a coefficient is +inf.0",
    "1:38"
)]
#[case::reverse_in_reverse(
    "(*j (lambda (x) (cdr (*j (lambda (y) (* y (sqrt x))) 1 1))) 0 1)",
    "in a derivative, a coefficient is +inf.0",
    "1:1"
)]
// The cotangent of the captured variable has no use; its coefficient is computed all the same.
#[case::captured(
    "(define (g y) (cdr ((cdr ((*j (lambda (x) (+ x (sqrt y)))) (*j 2))) 1))) (g 0)",
    "in a derivative, a coefficient is +inf.0",
    "1:20"
)]
fn the_first_one_ends_the_run(#[case] program: &str, #[case] message: &str, #[case] place: &str) {
    for engine in ["interp", "hybrid", "native", "auto", "all"] {
        let words = ["--trap-nonfinite", "--engine", engine, "-e", program];
        let errors = answer(&words).failed("", &format!("error[nonfinite]: {message}\n"));
        assert!(errors.contains(&format!("<expression>:{place}")), "{errors}");
    }
    assert_eq!(answer(&["-e", program]).code, Some(0));
}

/// An error that a later part of the operands would be is not reached.
#[rstest]
#[case::fold("(+ 1e308 1e308 #t)")]
#[case::sum("(plus (list 1e308 2) (list 1e308 #t))")]
#[case::sum_of_vectors("(plus (vector 1e308 2) (vector 1e308 #t))")]
fn a_trap_comes_before_an_error_behind_it(#[case] program: &str) {
    for engine in ["interp", "hybrid", "native"] {
        let words = ["--trap-nonfinite", "--engine", engine, "-e", program];
        answer(&words).failed("", "error[nonfinite]: `+` of 1e+308 and 1e+308 is +inf.0\n");
    }
    answer(&["-e", program]).failed("", "error[");
}

#[test]
fn numbers_that_are_given_pass() {
    let program = "(list +inf.0 (+ 1 +inf.0) (max +nan.0 1) (- +nan.0) (< 1 +inf.0) (j* exp 1 0))";
    let output = answer(&["--trap-nonfinite", "--engine", "all", "-e", program]).succeeded();
    assert_eq!(output, "(+inf.0 +inf.0 +nan.0 +nan.0 #t (2.718281828459045 . 0))\n");
}

#[test]
fn a_product_that_the_guard_makes_zero_is_told() {
    // The coefficient is an infinity of the program's own, so nothing makes it.
    let program = "(j* (lambda (x) (* x +inf.0)) 1 0)";
    for engine in ["interp", "hybrid", "native"] {
        let words = ["--trap-nonfinite", "--engine", engine, "-e", program];
        let errors = answer(&words).failed("", "error[nonfinite]: in a derivative, ");
        assert!(errors.contains("the product of +inf.0 and 0 counts as 0"), "{errors}");
    }
}

/// The primitive is told as a program names it.
#[rstest]
#[case::guard("(guarded* 0 +inf.0)", "the product of 0 and +inf.0 counts as 0")]
#[case::overflow("(guarded* 1e200 1e200)", "`guarded*` of 1e+200 and 1e+200 is +inf.0")]
fn a_guarded_product_of_the_program_traps(#[case] program: &str, #[case] message: &str) {
    for engine in ["interp", "hybrid", "native"] {
        let words = ["--trap-nonfinite", "--engine", engine, "-e", program];
        answer(&words).failed("", &format!("error[nonfinite]: {message}\n"));
    }
}

#[test]
fn compiled_code_tests_its_results() {
    let native = |program: &str| answer(&["--trap-nonfinite", "--engine", "native", "-e", program]);
    let (right, wrong) = (native("(/ 1 4)"), native("(/ 1 4) (/ 1 0)"));
    assert_eq!((right.code, right.output.as_str(), right.errors.as_str()), (Some(0), "0.25\n", ""));
    assert_eq!((wrong.code, wrong.output.as_str()), (Some(1), "0.25\n"));
    assert!(wrong.errors.starts_with("error[nonfinite]: `/` of 1 and 0 is +inf.0\n"), "{}", wrong.errors);
}

fn path(folder: &Path, file: &str) -> String {
    folder.join(file).to_str().unwrap().to_owned()
}

/// Code with traps is other code, which is not that of an earlier run without; `native` is the engine that runs it, and
/// needs no note.
#[test]
fn the_cache_tells_runs_with_traps_apart() {
    let folder = folder("cached", &[("main.vlad", "(write 1)\n(/ 1 0)\n")]);
    let run = |trap: bool| {
        let mut command = vlad();
        command.env("VLAD_CACHE", folder.join("cache")).args(["--engine", "native", "--json"]);
        let answer = answer_of(command.args(trap.then_some("--trap-nonfinite")).arg(path(&folder, "main.vlad")));
        let told: Value = serde_json::from_str(&answer.output).unwrap();
        let output = told["output"].as_array().unwrap().iter().map(|line| line["text"].as_str().unwrap().to_owned());
        (answer.code, told["engine"].clone(), output.collect::<Vec<_>>(), answer.errors)
    };
    for _ in 0..2 {
        let written = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
        assert_eq!(run(false), (Some(0), "native".into(), written(&["1", "1", "+inf.0"]), String::new()));
        assert_eq!(run(true), (Some(1), "native".into(), written(&["1", "1"]), String::new()));
    }
}

/// The run begins on `hybrid`, which goes on until there is compiled code; then that is looked for first.
#[test]
fn auto_moves_to_compiled_code_with_traps() {
    let text = "(define (go n x) (if (= n 0) (/ 1 0) (go (- n 1) (sin x))))\n(go 3000000 1)\n";
    let folder = folder("moved", &[("main.vlad", text)]);
    let run = || {
        let mut command = vlad();
        command.env("VLAD_CACHE", folder.join("cache")).args(["--trap-nonfinite", "--json", "--cc", "tcc"]);
        let answer = answer_of(command.arg(path(&folder, "main.vlad")));
        let told: Value = serde_json::from_str(&answer.output).unwrap();
        assert_eq!(told["diagnostics"][0]["message"], "`/` of 1 and 0 is +inf.0", "{told}");
        (told["engine"].as_str().unwrap().to_owned(), told["steps"].clone())
    };
    let (_, steps) = run();
    let begun = Instant::now();
    loop {
        let (engine, again) = run();
        assert_eq!(again, steps);
        if engine == "native" {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(120), "it never runs on compiled code");
        thread::sleep(Duration::from_millis(100));
    }
}

#[rstest]
#[case::native("native", "native")]
#[case::hybrid_then_native("hybrid", "native")]
#[case::native_then_interp("native", "interp")]
fn a_suspended_run_traps_where_it_is_resumed(#[case] first: &str, #[case] second: &str) {
    let text = "(define (go n x) (if (= n 0) (*j (lambda (y) (asin y)) x 1) (go (- n 1) x)))\n(go 9 1)\n";
    let folder = folder(&format!("suspended_{first}_{second}"), &[("main.vlad", text)]);
    let (program, capsule) = (path(&folder, "main.vlad"), path(&folder, "a.capsule"));
    let suspend = ["suspend", &program, "--trap-nonfinite", "--engine", first, "--after", "60", "-o", &capsule];
    answer(&suspend).succeeded();
    let resume = ["resume", &capsule, "--trap-nonfinite", "--engine", second];
    let errors = answer(&resume).failed("", "error[nonfinite]: in a derivative, `/` of 1 and 0 is +inf.0\n");
    assert!(errors.contains("main.vlad:1:30"), "{errors}");
    let resume = ["resume", &capsule, "--engine", second];
    assert_eq!(answer(&resume).succeeded(), "(1.5707963267948966 . +inf.0)\n");
}

#[test]
fn profiles_and_limits_stand_beside_traps() {
    for engine in ["interp", "hybrid", "native"] {
        let profile = ["profile", "--trap-nonfinite", "--engine", engine, "-e", "(*j (lambda (x) (asin x)) 1 1)"];
        answer(&profile).failed("", "error[nonfinite]: in a derivative, `/` of 1 and 0 is +inf.0\n");
        let text = "(define (go n) (if (= n 0) (/ 1 0) (go (- n 1))))\n(go 10)";
        let limited = |steps| answer(&["--trap-nonfinite", "--engine", engine, "--max-steps", steps, "-e", text]);
        limited("100").failed("", "error[steps]: ");
        limited("1000").failed("", "error[nonfinite]: `/` of 1 and 0 is +inf.0\n");
    }
}
