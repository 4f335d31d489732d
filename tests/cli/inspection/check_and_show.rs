//! `vlad check` and `vlad show`: programs that are inspected without being run.

use crate::{answer, answer_to};
use rstest::rstest;

#[test]
fn a_program_without_errors_passes_in_silence() {
    assert_eq!(answer(&["check", "-e", "(define (f x) (car x)) (f 1) (write 2)"]).succeeded(), "");
    assert_eq!(answer_to(&["check", "-"], b"1").succeeded(), "");
}

#[test]
fn all_errors_are_told() {
    let errors = answer(&["check", "-e", "(f 1)\n(if)\n"]).failed("", "error[");
    assert!(errors.contains(":2:"), "{errors}");
    let errors = answer(&["check", "-e", "(f 1)\n(g 1)"]).failed("", "error[unbound]");
    assert!(errors.contains(":1:2") && errors.contains(":2:2"), "{errors}");
}

#[rstest]
#[case::tokens("tokens")]
#[case::ast("ast")]
#[case::named("named")]
#[case::core("core")]
#[case::cps("cps")]
#[case::c("c")]
fn the_stages_of_a_program_are_shown(#[case] stage: &str) {
    let program = "(define (twice x) (* 2 x)) (write (+ 21 (twice (read-real))))";
    let shown = answer(&["show", stage, "-e", program]).succeeded();
    assert!(shown.contains("twice") && shown.contains("21") && shown.ends_with('\n'), "{shown}");
    let from_input = answer_to(&["show", stage, "-"], program.as_bytes()).succeeded();
    assert_eq!(from_input.replace("<stdin>", "<expression>"), shown);
    answer(&["show", stage, "-e", "(f \""]).failed("", "error[read]:");
}

#[test]
fn first_order_code_is_shown_with_the_reasons_where_there_is_none() {
    let program = "(define (twice x) (* 2 x)) (write (twice (read-real))) (interrupt sqrt 2 0)";
    let shown = answer(&["show", "ir", "-e", program]).succeeded();
    for part in
        ["item 1\n", "= read\n", " = * 2 ", "write 0 ", "item 2: not specialised: `interrupt` is not specialised"]
    {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    answer(&["show", "ir", "-e", "(f \""]).failed("", "error[read]:");
}

#[test]
fn storage_code_is_shown_with_its_loops_and_arrays() {
    let program = "(define n (read-real)) (define v (build n (lambda (i) (* i (+ i 1))))) (vector-length v)";
    let shown = answer(&["show", "storage", "-e", program]).succeeded();
    for part in ["item 1\n", " = whole r", " = allocate k", "for k", "store a", "turns k"] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    assert!(!shown.contains(" = build "), "{shown}");
}

#[test]
fn specialised_code_is_shown_after_chosen_passes() {
    let program = "(define (sum n) (if (= n 0) 0 (+ n (sum (- n 1))))) (sum (read-real))";
    let shown =
        |stage: &str, passes: &str| answer(&["show", stage, "--specialise-passes", passes, "-e", program]).succeeded();
    assert!(shown("ir", "-recursion").contains("= call sum_1 r2") && !shown("ir", "all").contains("= call sum_1 r2"));
    assert!(
        shown("c", "-recursion").contains("VLAD_ENTER(m, depth)")
            && !shown("c", "all").contains("VLAD_ENTER(m, depth)")
    );
    let misused = answer(&["show", "core", "--specialise-passes", "none", "-e", "1"]);
    assert_eq!(misused.code, Some(2));
    assert!(misused.errors.contains("is for what is shown of specialised code"), "{}", misused.errors);
}

#[test]
fn vectors_are_shown_as_they_are_written() {
    let program = "(vector 1 #(2 (3 . #t)))";
    let shown = |stage: &str| answer(&["show", stage, "-e", program]).succeeded();
    assert_eq!(shown("ast"), format!("{program}\n"));
    assert_eq!(shown("named"), format!("{program}\n"));
    assert_eq!(shown("core"), "(list->vector (cons 1 (cons #(2 (3 . #t)) ())))\n");
    assert!(shown("cps").contains("#(2 (3 . #t))"));
    let tokens = shown("tokens");
    assert!(tokens.contains("1:11 vector #(\n1:13 number 2\n"), "{tokens}");
}

#[test]
fn named_core_is_desugared_and_not_resolved() {
    let shown = answer(&["show", "named", "-e", "(define (f x y) (or (g x) 1)) (begin 1 (f 2 3))"]).succeeded();
    assert_eq!(
        shown,
        "(define f (lambda ((cons x y)) (let ((#or (g x))) (if #or #or 1))))\n\
         (let ((#ignored 1)) (f (cons 2 3)))\n"
    );
    answer(&["show", "named", "-e", "(if)"]).failed("", "error[syntax]:");
}

/// Warnings are reported by `check` alone, and are failures only if they are denied.
#[test]
fn warnings_are_told_and_may_be_denied() {
    let suspicious = "(define (f x y) (+ x y)) (f 1 2 3)";
    let told = answer(&["check", "-e", suspicious]);
    assert_eq!((told.code, told.output.as_str()), (Some(0), ""));
    assert!(told.errors.starts_with("warning[operands]: `f` takes 2 operands, found 3\n --> <expression>:1:26\n"));
    assert!(told.errors.contains("hint: ") && told.errors.contains("note: the parameters\n --> <expression>:1:12\n"));
    let denied = answer(&["check", "--deny", "warnings", "-e", suspicious]);
    assert_eq!((denied.code, denied.errors), (Some(1), told.errors));
    answer(&["check", "--deny", "warnings", "-e", "(define (f x y) (+ x y)) (f 1 2)"]).succeeded();
    for (arguments, status, code) in
        [(&["check", "--json"][..], "ok", 0), (&["check", "--json", "--deny", "warnings"], "error", 1)]
    {
        let told = answer(&[arguments, &["-e", suspicious]].concat());
        let object: serde_json::Value = serde_json::from_str(&told.output).unwrap();
        assert_eq!((told.code, &object["status"]), (Some(code), &status.into()), "{}", told.output);
        let warning = &object["diagnostics"][0];
        assert_eq!((&warning["kind"], &warning["severity"]), (&"operands".into(), &"warning".into()));
        assert_eq!(warning["place"]["column"], 26);
    }
    // A run reports no warnings.
    assert_eq!(answer(&["--engine", "interp", "-e", suspicious]).succeeded(), "6\n");
}
