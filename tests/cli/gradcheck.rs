//! `vlad gradcheck`: the table, the object, and what it refuses.

use crate::{answer, folder};

const PROGRAM: &str = "(define (f (list a b)) (* a (sin b)))\n(+ 1 2)\n";

fn check(function: &str, at: &str, more: &[&str]) -> crate::Answer {
    let file = folder("gradcheck", &[("f.vlad", PROGRAM)]).join("f.vlad");
    let arguments = [&["gradcheck", file.to_str().unwrap(), "--function", function, "--at", at], more].concat();
    answer(&arguments)
}

#[test]
fn derivatives_stand_in_a_table() {
    let output = check("f", "(list 2 0)", &[]).succeeded();
    let words: Vec<Vec<&str>> = output.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(words[0], ["at", "(2", "0):", "0"]);
    assert_eq!(words[1], ["of", "by", "forward", "reverse", "checkpointed", "differences", "error"]);
    assert_eq!(words[2], ["0", "0", "0", "0", "0", "0", "0.0e0"]);
    assert_eq!(words[3][..6], ["0", "1", "2", "2", "2", "2"]);
    assert!(output.contains("\n2 derivatives, worst relative error ") && output.ends_with(": all well\n"), "{output}");
}

#[test]
fn kinks_are_told_and_errors_fail() {
    let output = check("(lambda (x) (abs x))", "0", &[]).succeeded();
    assert!(output.contains("kink") && output.contains("\n1 derivative, worst"), "{output}");
    assert!(output.contains("1 without differences"), "{output}");
    // No double is exact enough for a tolerance of 1e-30.
    let answer = check("exp", "1", &["--tolerance", "1e-30", "--json"]);
    assert_eq!(answer.code, Some(1));
    let object: serde_json::Value = serde_json::from_str(&answer.output).unwrap();
    assert_eq!((&object["wrong"], &object["entries"][0]["ok"]), (&1.into(), &false.into()));
    assert_eq!(object["entries"][0]["forward"], "2.718281828459045");
}

#[test]
fn memory_is_limited() {
    let answer = check("(lambda (x) (letrec ((f (lambda (x) (+ 1 (f x))))) (f x)))", "1", &["--max-memory", "100M"]);
    assert!(answer.failed("", "error[memory]").contains("104857600 bytes"));
}

#[test]
fn what_has_no_answer_is_refused() {
    let refused = |function: &str, at: &str| check(function, at, &[]).failed("", "error[");
    assert!(refused("(lambda (x) (lambda () x))", "1").contains("nothing else"));
    assert!(refused("(lambda (x) (* x (primops sin x)))", "1").contains("no difference quotient follows `primops`"));
    assert!(refused("g", "1").contains("`g`"));
    assert!(refused("f", "(list 1 #t)").contains("expects reals"));
}
