//! Limits: whatever a program does, the command ends.

use crate::{Answer, answer, folder, vlad};
use rstest::rstest;
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use vlad_conformance::engine::Engine;

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
    // The engine notices by itself, before the watchdog does, and so it can say where.
    let errors = answer(&["--max-memory", "100M", "-e", DEEP]).failed("1\n", "error[memory]:");
    assert!(errors.contains("-->"), "{errors}");
    assert_eq!(answer(&["--max-memory", "1G", "-e", "1"]).succeeded(), "1\n");
}

/// A text that is far from being a program, and takes a lot of memory before that is known.
#[test]
fn memory_for_loading_is_limited() {
    let folder = folder("memory_for_loading", &[("open.vlad", &"(".repeat(24 << 20))]);
    let file = folder.join("open.vlad");
    let file = file.to_str().unwrap();
    let begun = Instant::now();
    let errors = answer(&["--max-memory", "100M", file]).failed("", "error[memory]:");
    assert!(errors.contains("the memory limit of 104857600 bytes is reached") && !errors.contains("-->"), "{errors}");
    let told = answer(&["--json", "--max-memory", "100M", file]);
    assert_eq!((told.code, told.errors.as_str()), (Some(1), ""));
    let told: Value = serde_json::from_str(&told.output).unwrap();
    assert_eq!((told["diagnostics"][0]["kind"].as_str(), &told["steps"]), (Some("memory"), &Value::Null));
    assert!(begun.elapsed() < Duration::from_secs(20));
    fs::remove_dir_all(folder).unwrap();
}

/// A value of which every half is the same pair is small, but its text is not; kept for JSON, it takes memory.
#[test]
fn memory_for_printing_is_limited() {
    let program = "1 (define (twice n x) (if (= n 0) x (twice (- n 1) (cons x x)))) (twice 60 1)";
    let told = answer(&["--json", "--max-memory", "100M", "-e", program]);
    assert_eq!(told.code, Some(1), "{}", told.errors);
    let told: Value = serde_json::from_str(&told.output).unwrap();
    assert_eq!((told["diagnostics"][0]["kind"].as_str(), &told["output"][0]["text"]), (Some("memory"), &"1".into()));
}

/// A program from the standard input is not read for ever.
#[test]
fn text_is_limited() {
    let mut child = start(&["-"]);
    let mut input = child.stdin.take().unwrap();
    let spaces = vec![b' '; 1 << 20];
    // The command stops reading, and then nothing more can be written.
    let written = (0..100).take_while(|_| input.write_all(&spaces).is_ok()).count();
    assert!((64..100).contains(&written), "{written}");
    let errors = end(child).failed("", "error[file]:");
    assert!(errors.contains("more than 64 MB"), "{errors}");
}

/// Depth is bounded by memory alone, and a million deep takes less than two gigabytes.
#[rstest]
#[case::calls("(define (f n a b c d e) (if (= n 0) 0 (+ 1 (f (- n 1) a b c d e)))) (f 1000000 1 2 3 4 5)")]
#[case::list(
    "(define (numbers n l) (if (= n 0) l (numbers (- n 1) (cons n l))))
     (define (size l) (let go ((l l) (n 0)) (if (null? l) n (go (cdr l) (+ n 1)))))
     (size (numbers 1000000 '()))"
)]
#[case::closures("(define (wrap n f) (if (= n 0) f (wrap (- n 1) (lambda (x) (+ 1 (f x)))))) ((wrap 1000000 -) 0)")]
fn a_million_deep_fits_into_two_gigabytes(#[case] program: &str) {
    let begun = Instant::now();
    assert_eq!(answer(&["--max-memory", "2G", "-e", program]).succeeded(), "1000000\n");
    assert!(begun.elapsed() < Duration::from_secs(15));
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

/// What is executed again counts no steps and writes nothing, but takes time and memory. That the value of the first execution
/// has been written tells that the limit is reached later.
#[rstest]
#[case::time(&["--timeout", "3"], "1000000", "#f 1", "error[time]:")]
#[case::memory(&["--max-memory", "120M"], "4000000", "0 #f", "error[memory]:")]
fn what_is_executed_again_is_limited(
    #[values(Engine::Interp, Engine::Hybrid, Engine::Native)] engine: Engine,
    #[case] limit: &[&str],
    #[case] rounds: &str,
    #[case] division: &str,
    #[case] error: &str,
) {
    let program = format!(
        "(define (go n x) (if (= n 0) x (go (- n 1) (sin (* 1.1 x)))))
         (checkpoint-*j (lambda (x) (let ((y (go {rounds} x))) (begin (write 7) y))) 0.5 1 {division})"
    );
    let errors = answer(&[limit, &["--engine", engine.name(), "-e", &program]].concat()).failed("7\n", error);
    // Memory may also run out between two looks of the engine; then the watchdog tells, which knows no place.
    assert!(errors.contains("(checkpoint-*j") || limit[0] == "--max-memory", "{errors}");
}
