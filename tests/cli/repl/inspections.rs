//! Commands of a session that look at its definitions.

use super::session;
use crate::{answer_of_input, folder, vlad};
use rstest::rstest;

#[test]
fn derivatives_are_looked_at() {
    let inputs = "(define (g x) (* x x))\n(define (g x) (* x (sin x)))\n(define y (write 2))\n:check g 0.5\n:trace (g y)\n\
                  :forward g\n:reverse g\n:reverse h\n";
    let answer = session(inputs);
    // d/dx x sin x = sin x + x cos x
    let derivative = 0.5_f64.sin() + 0.5 * 0.5_f64.cos();
    assert!(answer.output.starts_with("2\nat 0.5: "), "{}", answer.output);
    assert!(answer.output.contains(&format!("{derivative:.12}")[..10]), "{}", answer.output);
    assert!(answer.output.contains("1 derivative, worst relative error") && answer.output.contains(": all well\n"));
    assert!(answer.output.contains("\n2 operations; cotangent of the operand: "), "{}", answer.output);
    assert!(answer.output.contains("; Procedures."), "{}", answer.output);
    assert!(answer.errors.starts_with("error[unbound]: `h` is not defined"), "{}", answer.errors);
}

/// A function of F-smooth has code for each of its uses, and stays in the texts that commands look at once; a name means the last
/// definition, and earlier functions keep the one before it.
#[test]
fn typed_functions_are_looked_at_after_their_uses() {
    let inputs = "let f x = x * x\nf 3\ndiff f 3\nf 3\nlet n f v = f (length v)\nlet g x = f x\nlet f x = x * x * x\n\
                  :check f 2\n:check g 3\n:forward f\n:reverse g\n";
    let session =
        answer_of_input(vlad().args(["repl", "--language", "fsmooth", "--color", "never"]), inputs.as_bytes());
    assert_eq!((session.errors.as_str(), session.code), ("", Some(0)));
    assert!(session.output.starts_with("9\n(9 . 6)\n9\nat 2: 8\n"), "{}", session.output);
    assert!(session.output.contains("at 3: 9\n"), "{}", session.output);
    assert_eq!(session.output.matches("all well").count(), 2, "{}", session.output);
    assert_eq!(session.output.matches("; Procedures.").count(), 2, "{}", session.output);
}

/// Data are defined once, by a session that begins with them; they can be replaced, and procedures wait beside them.
#[rstest]
#[case::vlad(
    "vlad",
    "(define (f x) (g x))\n(define (g x) (* x x))\n:check f 3\n(define d 5)\nd\n:check g d\n:trace (g d)\n"
)]
#[case::fsmooth("fsmooth", "let f x = x * x\n:check f 3\nlet d = 5.0\nd\n:check f d\n")]
fn data_are_defined_once(#[case] language: &str, #[case] inputs: &str) {
    let file = folder(&format!("session-data-{language}"), &[("d.csv", "1\n2\n")]).join("d.csv");
    let data = format!("d={}", file.display());
    let arguments = ["repl", "--language", language, "--color", "never", "--data", &data];
    let session = answer_of_input(vlad().args(arguments), format!("d\n{inputs}").as_bytes());
    assert_eq!(session.code, Some(0), "{}", session.errors);
    assert!(!session.errors.contains("error"), "{}", session.errors);
    assert!(session.output.starts_with("#(#(1) #(2))\nat 3: 9\n"), "{}", session.output);
    assert!(session.output.contains("all well\n5\nat 5: 25\n"), "{}", session.output);
    let missing = answer_of_input(vlad().args(["repl", "--data", "d=no-such-file.csv"]), b"1\n");
    assert_eq!((missing.output.as_str(), missing.code), ("", Some(1)), "{}", missing.errors);
}

/// Commands show places of inputs, as they were typed.
#[test]
fn commands_show_places_of_inputs() {
    let inputs = "(define (g x)\n  (car x))\n:trace (g 3)\n:trace (g (h 3))\n:check g 3\n:trace (g (list 1 2))\n";
    let session = session(inputs);
    assert_eq!(session.errors.matches("--> <input 1>:2:3\n").count(), 2, "{}", session.errors);
    for shown in ["at <input 2>:1:1: (g 3)", "--> <input 3>:1:5\n", "at <input 4>:1:1: g 3"] {
        assert!(session.errors.contains(shown), "{shown}: {}", session.errors);
    }
    assert!(!format!("{}{}", session.errors, session.output).contains("--at"), "{}", session.errors);
}

/// Commands take the values of definitions that are data, and evaluate nothing of them again.
#[test]
fn commands_take_the_values_of_definitions() {
    let inputs = "(define (f x) (* 2 x))\n(define z (f 3))\n(define (f x) (* x x z))\n(define u (write (read-real)))\n5\n\
                  :check f u\n:trace (f u)\n(define w (list z #t (vector -inf.0 '())))\n:check (lambda (x) (* x (car w))) 7\n";
    let output = session(inputs).succeeded();
    assert!(output.starts_with("5\nat 5: 150\n") && output.contains("\nat 5: 150, with the cotangent 1\n"), "{output}");
    assert!(output.contains("\nat 7: 42\n"), "{output}");
}

/// Libraries have constants, which their procedures see.
#[test]
fn libraries_keep_their_constants_for_commands() {
    let inputs = "(include \"special\")\n(define a pi)\n(define (f x) (+ (beta x 30) (relu x) a))\n:check f 2.5\n:trace (f 1)\n:forward f\n";
    let output = session(inputs).succeeded();
    assert!(
        output.contains("all well") && output.contains("operations; cotangent") && output.contains("Procedures."),
        "{output}"
    );
}

/// A definition that has failed, or whose text no longer gives its value, does not keep commands from looking at others.
#[rstest]
#[case::vlad(
    "vlad",
    "(define (f x) (* x x))\n(define z (car 1))\n:check f 2\n:trace (f 3)\n(define (g x) (* x z))\n:check f 4\n"
)]
#[case::fsmooth("fsmooth", "let f x = x * x\nlet v = [| 1; 2 |]\nlet z = v[5]\n:check f 2\n:check f 4\n")]
fn failed_definitions_are_left_out(#[case] language: &str, #[case] inputs: &str) {
    let arguments = ["repl", "--language", language, "--color", "never"];
    let session = answer_of_input(vlad().args(arguments), inputs.as_bytes());
    assert!(session.output.starts_with("at 2: 4\n"), "{}{}", session.output, session.errors);
    assert_eq!(
        session.output.matches("all well").count(),
        if language == "vlad" { 1 } else { 2 },
        "{}",
        session.output
    );
    let inputs = "(define (f x) (* x x))\n(define h (compose f f))\n(define (f x) x)\n(h 3)\n:check h 3\n";
    let session = super::session(inputs);
    assert!(session.output == "81\n" && session.errors.contains("has been replaced since"), "{}", session.errors);
}

/// Errors in F-smooth are in its own words.
#[test]
fn typed_sessions_speak_their_language() {
    let inputs = "let m v = v[length v]\nm [| 1; 2 |]\n";
    let session =
        answer_of_input(vlad().args(["repl", "--language", "fsmooth", "--color", "never"]), inputs.as_bytes());
    assert!(session.errors.contains("`v[i]` expects") && !session.errors.contains("`get`"), "{}", session.errors);
}

/// Libraries do not see definitions of their names in a session.
#[test]
fn libraries_keep_their_names_in_sessions() {
    let inputs = "(include \"lists\")\n(define (take n l) (* n 10))\n(sort < '(3 1 2))\n(take 2 '())\n:type take\n\
                  (define (take n l) (* n 11))\n(take 2 '())\n(sort < '(3 1 2))\n(define (f x) (take x '()))\n:check f 3\n";
    let output = session(inputs).succeeded();
    assert!(output.starts_with("(1 2 3)\n20\nprocedure of "), "{output}");
    assert!(output.contains("\n22\n(1 2 3)\nat 3: 33\n"), "{output}");
}
