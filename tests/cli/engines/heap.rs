//! The native engine frees all of its heap, whether a program succeeds or fails. The memory of the other engines is
//! managed by Rust.

use crate::vlad;
use rstest::rstest;
use std::process::Command;

/// The bytes in use at exit that the process itself needs: the watchdog thread is still running.
const OF_THE_PROCESS: u64 = 4 << 10;

/// To run it: `cargo test --test cli heap -- --ignored`
#[rstest]
#[case::closures("(define (f n k) (if (= n 0) k (f (- n 1) (lambda (x) (k (+ x n)))))) ((f 1000 (lambda (x) x)) 1)", 0)]
#[case::data("(define (f n l) (if (= n 0) l (f (- n 1) (cons (cons n l) l)))) (equal? (f 9 ()) (f 9 ()))", 0)]
#[case::derivatives(
    "(define (p x n) (if (= n 0) 1 (* x (p x (- n 1))))) (*j (lambda (x) (p x 900)) (j* sin 1 1) 1)",
    1
)]
#[case::nested("(j* (lambda (x) (*j (lambda (y) (* x y)) x 1)) 3 1)", 0)]
#[case::capsules(
    "(define (p x n) (if (= n 0) 1 (* x (p x (- n 1))))) (define (z l) (interrupt (lambda (x) (p x 90)) 1 l)) \
     (equal? (plus (z 700) (z 700)) (cons (resume (z 700)) (*j resume (interrupt resume (z 300) 400) 1)))",
    0
)]
#[case::checkpoints(
    "(define (p x n) (if (= n 0) 1 (* x (p x (- n 1))))) (define (g x) (checkpoint-*j (lambda (y) (p y 20)) x 1 #f 50)) \
     (checkpoint-*j g 1 '(1 . 2) 3 #f 100)",
    0
)]
#[case::fault_in_a_checkpoint(
    "(define (p x n) (if (= n 0) (car x) (* x (p x (- n 1))))) (checkpoint-*j (lambda (x) (let ((y (cdr \
     (checkpoint-*j (lambda (y) (* y y)) x 1 #f 3)))) (p y 50))) 1 1 #f 9)",
    1
)]
#[case::limit_in_a_checkpoint(
    "(define (p x n) (if (= n 0) 1 (* x (p x (- n 1))))) (checkpoint-*j (lambda (x) (p (cdr (checkpoint-*j (lambda (y) \
     (p y 900)) x 1 #f 30)) 9000)) 1 1 #f 900)",
    1
)]
#[case::interrupted_too_late(
    "(define (p x n) (if (= n 0) 1 (* x (p x (- n 1))))) (interrupt (lambda (x) (p x 900)) 1 1e9)",
    1
)]
#[case::fault_deep_inside("(define (f n) (if (= n 0) (car n) (cons n (f (- n 1))))) (f 1000)", 1)]
#[case::limit("(define (f n) (cons n (f (+ n 1)))) (f 0)", 1)]
#[ignore = "needs valgrind"]
fn all_heap_is_given_back(#[case] program: &str, #[case] code: i32) {
    let vlad = vlad();
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--leak-check=full", "--errors-for-leak-kinds=definite,indirect", "--error-exitcode=99"]);
    valgrind.arg(vlad.get_program()).args(["--engine", "native", "--max-steps", "100000", "-e", program]);
    for (name, value) in vlad.get_envs() {
        match value {
            Some(value) => valgrind.env(name, value),
            None => valgrind.env_remove(name),
        };
    }
    let output = valgrind.output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{told}");
    let line = told.lines().find(|line| line.contains("in use at exit:")).unwrap_or_else(|| panic!("{told}"));
    let bytes: String =
        line.split(':').nth(1).unwrap().chars().take_while(|c| *c != 'b').filter(char::is_ascii_digit).collect();
    assert!(bytes.parse::<u64>().unwrap() < OF_THE_PROCESS, "{told}");
}
