//! Limits: whatever a program does, the command ends.

use crate::{Answer, answer, vlad};
use serde_json::Value;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

const ENDLESS: &str = "(define (f x) (f x)) 1 (f 1)";
const DEEP: &str = "(define (f x) (+ 1 (f x))) 1 (f 1)";

#[test]
fn steps_are_limited_exactly() {
    // Five steps: application, `+`, tuple, two operands.
    assert_eq!(answer(&["--max-steps", "5", "-e", "(+ 1 2)"]).succeeded(), "3\n");
    answer(&["--max-steps", "4", "-e", "(+ 1 2)"]).failed("", "error[steps]:");
    answer(&["--max-steps", "0", "-e", "1"]).failed("", "error[steps]:");
    assert_eq!(answer(&["--max-steps", "0", "-e", ""]).succeeded(), "");
    answer(&["--max-steps", "100000", "-e", ENDLESS]).failed("1\n", "error[steps]:");
}

#[test]
fn memory_is_limited() {
    answer(&["--max-memory", "100M", "-e", DEEP]).failed("1\n", "error[memory]:");
    assert_eq!(answer(&["--max-memory", "1G", "-e", "1"]).succeeded(), "1\n");
}

#[test]
fn time_is_limited() {
    let begun = Instant::now();
    let errors = answer(&["--timeout", "0.3", "-e", ENDLESS]).failed("1\n", "error[time]:");
    assert!(errors.contains("0.3 s") && errors.contains("-->"), "{errors}");
    let time = begun.elapsed();
    assert!(time >= Duration::from_millis(300) && time < Duration::from_secs(5), "{time:?}");
    assert_eq!(answer(&["--timeout", "1e15", "-e", "1"]).succeeded(), "1\n");
}

/// Starts a command whose input stays open, and nobody reads its output until it ends.
fn start(arguments: &[&str]) -> Child {
    vlad().args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits for the end without closing the input.
fn end(mut child: Child) -> Answer {
    let input = child.stdin.take();
    let answer = child.wait_with_output().unwrap().into();
    drop(input);
    answer
}

#[test]
fn waiting_for_input_is_limited() {
    let errors = end(start(&["--timeout", "0.3", "-e", "1 (read-real)"])).failed("1\n", "error[time]:");
    assert!(errors.contains("0.3 s"), "{errors}");
    end(start(&["--timeout", "0.3", "-"])).failed("", "error[time]:");
    let answer = end(start(&["--timeout", "0.3", "--json", "-e", "1 (read-real)"]));
    let told: Value = serde_json::from_str(&answer.output).unwrap();
    assert_eq!((answer.code, told["output"][0]["text"].as_str()), (Some(1), Some("1")));
    assert_eq!((told["diagnostics"][0]["kind"].as_str(), &told["steps"]), (Some("time"), &Value::Null));
}

#[test]
fn waiting_for_a_reader_is_limited() {
    let mut child = start(&["--timeout", "0.3", "-e", "(define (f x) (f (write x))) (f 1)"]);
    let code = child.wait().unwrap().code();
    let answer: Answer = child.wait_with_output().unwrap().into();
    assert_eq!(code, Some(1));
    assert!(answer.errors.starts_with("error[time]:") && answer.output.starts_with("1\n1\n"), "{}", answer.errors);
}
