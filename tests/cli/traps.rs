//! `--trap-nonfinite`: the first operation that makes a NaN or an infinity, with its place.

use crate::answer;
use rstest::rstest;

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
fn the_first_one_ends_the_run(#[case] program: &str, #[case] message: &str, #[case] place: &str) {
    for engine in ["interp", "hybrid", "native", "auto", "all"] {
        let words = ["--trap-nonfinite", "--engine", engine, "-e", program];
        let errors = answer(&words).failed("", &format!("error[nonfinite]: {message}\n"));
        assert!(errors.contains(&format!("<expression>:{place}")), "{errors}");
    }
    assert_eq!(answer(&["-e", program]).code, Some(0));
}

#[test]
fn numbers_that_are_given_pass() {
    let program = "(list +inf.0 (+ 1 +inf.0) (max +nan.0 1) (- +nan.0) (< 1 +inf.0) (j* exp 1 0))";
    let output = answer(&["--trap-nonfinite", "-e", program]).succeeded();
    assert_eq!(output, "(+inf.0 +inf.0 +nan.0 +nan.0 #t (2.718281828459045 . 0))\n");
}

#[test]
fn a_product_that_the_guard_makes_zero_is_told() {
    // The coefficient is an infinity of the program's own, so nothing makes it.
    let program = "(j* (lambda (x) (* x +inf.0)) 1 0)";
    let errors = answer(&["--trap-nonfinite", "-e", program]).failed("", "error[nonfinite]: in a derivative, ");
    assert!(errors.contains("the product of +inf.0 and 0 counts as 0"), "{errors}");
}

#[test]
fn compiled_code_tests_its_results() {
    let native = |program: &str| answer(&["--trap-nonfinite", "--engine", "native", "-e", program]);
    let (right, wrong) = (native("(/ 1 4)"), native("(/ 1 4) (/ 1 0)"));
    assert_eq!((right.code, right.output.as_str(), right.errors.as_str()), (Some(0), "0.25\n", ""));
    assert_eq!((wrong.code, wrong.output.as_str()), (Some(1), "0.25\n"));
    assert!(wrong.errors.starts_with("error[nonfinite]: `/` of 1 and 0 is +inf.0\n"), "{}", wrong.errors);
}

/// An object that the cache keeps of a run without traps is none for a run with them.
#[test]
fn the_same_program_runs_with_traps_and_without() {
    let program = "(exp 800)";
    let untested = ["--engine", "native", "-e", program];
    let tested = ["--trap-nonfinite", "--engine", "native", "-e", program];
    for _ in 0..2 {
        assert_eq!(answer(&untested).succeeded(), "+inf.0\n");
        let errors = answer(&tested).failed("", "error[nonfinite]: `exp` of 800 is +inf.0\n");
        assert!(errors.contains("<expression>:1:1"), "{errors}");
    }
}
