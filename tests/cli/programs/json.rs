//! The output of `--json`: one object on one line, also after errors.

use crate::{answer, answer_to};
use serde_json::{Value, json};

/// Returns the object that a command printed, and checks that nothing else is on the standard output.
fn object(code: i32, arguments: &[&str]) -> Value {
    let answer = answer(arguments);
    assert_eq!((answer.code, answer.errors.as_str()), (Some(code), ""), "{}", answer.output);
    assert_eq!(answer.output.lines().count(), 1);
    serde_json::from_str(&answer.output).unwrap()
}

#[test]
fn output_is_told_with_its_origin() {
    let told = object(0, &["--json", "--engine", "interp", "-e", "(define x (write '(1 2)))\n(car x)"]);
    let output = json!([{ "origin": "written", "text": "(1 2)" }, { "origin": "result", "text": "1" }]);
    assert_eq!(told["output"], output);
    assert_eq!((&told["status"], &told["engine"]), (&json!("ok"), &json!("interp")));
    assert_eq!((&told["diagnostics"], &told["more_errors"]), (&json!([]), &json!(0)));
    assert!(told["steps"].as_u64().unwrap() > 0);
    assert_eq!((&told["engines"], &told["disagreements"]), (&json!(["interp"]), &json!([])));
    let told = object(0, &["run", "--json", "--bits", "-e", "1"]);
    assert_eq!(told["output"][0]["text"], "1[3ff0000000000000]");
}

#[test]
fn errors_of_a_run_are_told_after_its_output() {
    let told = object(1, &["--json", "-e", "1\n(define (f x) (+ 1 (car x)))\n(* 2 (f 7))"]);
    assert_eq!((&told["status"], &told["output"][0]["text"]), (&json!("error"), &json!("1")));
    let error = &told["diagnostics"][0];
    assert_eq!((&error["kind"], &error["message"]), (&json!("type"), &json!("`car` expects a pair, found 7")));
    let place = json!({ "file": "<expression>", "line": 2, "column": 20, "end_line": 2, "end_column": 27 });
    assert_eq!(error["place"], place);
    let calls = error["calls"].as_array().unwrap();
    assert!(!calls.is_empty() && calls.last().unwrap()["procedure"] == Value::Null, "{error}");
}

#[test]
fn errors_of_the_text_are_told() {
    for arguments in
        [&["--json", "-e", "(define x 1) (define x 2)"][..], &["check", "--json", "-e", "(define x 1) (define x 2)"]]
    {
        let told = object(1, arguments);
        let error = &told["diagnostics"][0];
        assert_eq!((&error["kind"], &told["steps"]), (&json!("duplicate"), &json!(0)));
        assert_eq!(error["labels"][0]["place"]["column"], 9, "{error}");
    }
    let told = object(1, &["--json", "missing.vlad"]);
    assert_eq!((&told["diagnostics"][0]["kind"], &told["diagnostics"][0]["place"]), (&json!("file"), &Value::Null));
    assert_eq!(object(0, &["check", "--json", "-e", "1"])["engine"], Value::Null);
}

#[test]
fn long_chains_and_many_errors_are_cut() {
    let told = object(1, &["--json", "-e", "(define (f n) (if (= n 0) (car n) (+ 1 (f (- n 1))))) (f 100000)"]);
    let calls = told["diagnostics"][0]["calls"].as_array().unwrap();
    assert!(calls.len() < 25 && calls.iter().any(|call| call["omitted"].as_u64().is_some_and(|calls| calls > 90_000)));
    let told: Value =
        serde_json::from_str(&answer_to(&["--json", "-"], "(f 1) ".repeat(100).as_bytes()).output).unwrap();
    assert!(told["diagnostics"].as_array().unwrap().len() <= 20);
}

#[test]
fn statistics_stay_out_of_it() {
    let answer = answer(&["--json", "--stats", "-e", "1"]);
    let told: Value = serde_json::from_str(&answer.output).unwrap();
    assert_eq!(told["steps"], 1);
    assert!(answer.errors.starts_with("steps: 1\n"));
}
