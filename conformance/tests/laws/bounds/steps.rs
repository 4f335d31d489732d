//! Tests of step limits: a program that takes n steps finishes under the limit n and fails under every smaller one,
//! after exactly that many steps and with a prefix of its output; every engine stops there with the same error. So
//! stopping is exact at every step, independent of the size of an engine's units of evaluation, and the stop point
//! moves from node to node with the counted steps.

use rstest::rstest;
use vlad_conformance::fast_build::fast_build_settings;
use vlad_engines::{Engine, Ready, Task};
use vlad_shared::core::Program;
use vlad_shared::core::diagnostic::{Diagnostic, Kind};
use vlad_shared::frontend::load::{Input, Options, load};
use vlad_shared::runtime::run::{Limits, Outcome, StreamHost};
use vlad_shared::table::number::Notation;

/// The observable behaviour of a run.
#[derive(Debug)]
struct RunBehaviour {
    output: String,
    failure: Option<Box<Diagnostic>>,
    steps: u64,
}

fn run(ready: &Ready, program: &Program, steps: Option<u64>) -> RunBehaviour {
    let mut host = StreamHost::new(&b""[..], Vec::new(), Notation::WithBits);
    let report = ready.run(Task { program, limits: &Limits { steps, ..Limits::default() } }, &mut host);
    let failure = match report.outcome {
        Outcome::Finished | Outcome::Stopped => None,
        Outcome::Failed(diagnostic) => Some(diagnostic),
        Outcome::OutputClosed => panic!("an output that is kept is never closed"),
    };
    RunBehaviour { output: String::from_utf8(host.into_output()).unwrap(), failure, steps: report.steps }
}

/// Runs a program on an engine without a limit, and then under each limit up to the number of its steps. Each engine
/// makes the program ready twice: once to be run without a limit, once for all limits.
fn runs(engine: Engine, program: &Program) -> (RunBehaviour, Vec<RunBehaviour>) {
    let limits = [None, Some(0)].map(|steps| Limits { steps, ..Limits::default() });
    let tasks = limits.each_ref().map(|limits| Task { program, limits });
    let ready = engine.make_ready(&tasks, &fast_build_settings()).unwrap();
    let whole = run(&ready[0], program, None);
    let limited = (0..=whole.steps).map(|limit| run(&ready[1], program, Some(limit))).collect();
    (whole, limited)
}

/// Checks all limits on all engines; returns the steps of the program.
fn check_limits(program: &str) -> u64 {
    let input = Input::Text { name: "program".to_owned(), bytes: program.as_bytes().to_vec(), folder: None };
    let loaded = load(input, &Options::default()).unwrap();
    let [specification, others @ ..] = Engine::ALL;
    let (specified, specified_limited) = runs(specification, &loaded);
    check_runs(specification, program, &specified, &specified_limited);
    for engine in others {
        let (whole, limited) = runs(engine, &loaded);
        check_runs(engine, program, &whole, &limited);
        assert_eq!(format!("{whole:#?}"), format!("{specified:#?}"), "{engine}, {program}");
        for (found, expected) in limited.iter().zip(&specified_limited) {
            assert_eq!(format!("{found:#?}"), format!("{expected:#?}"), "{engine}, {program}");
        }
    }
    specified.steps
}

fn check_runs(engine: Engine, program: &str, whole: &RunBehaviour, limited: &[RunBehaviour]) {
    let total = whole.steps;
    assert!(whole.failure.is_none(), "{engine}, {program}: {whole:#?}");
    let (enough, parts) = limited.split_last().unwrap();
    assert!(enough.failure.is_none(), "{engine}, {program}: {total} steps are enough\n{enough:#?}");
    assert_eq!((&enough.output, enough.steps), (&whole.output, total), "{engine}, {program}");
    for (part, limit) in parts.iter().zip(0..) {
        let Some(diagnostic) = &part.failure else { panic!("{engine}, {program}: the limit {limit} of {total}") };
        assert_eq!(diagnostic.kind, Kind::Steps, "{engine}, {program}: the limit {limit} of {total}");
        assert_eq!(part.steps, limit, "{engine}, {program}");
        assert!(whole.output.starts_with(&part.output), "{engine}, {program}: the limit {limit}");
        assert!(diagnostic.span.is_some(), "{engine}, {program}: the limit {limit} stops at a node");
    }
}

#[rstest]
#[case::calls("(define (f n) (if (= n 0) 0 (+ n (f (- n 1))))) (f 5) (f 7)")]
#[case::loops("(let loop ((i 5) (l ())) (if (= i 0) l (loop (- i 1) (cons (* i i) l))))")]
#[case::binding("(let* ((x 1) (y (+ x 1)) ((cons a b) (cons y x))) (list a b (or (< a b) (and x y))))")]
#[case::data("(list (cons 1 2) (+ (* 1 2) (- 3 4)) '(1 2 3) (cond ((= 1 2) 3) (else (car (cons 4 5)))))")]
#[case::effects("(write (+ (write 1) (write-real 2))) (write (list (write 3)))")]
#[case::groups(
    "(letrec ((e? (lambda (n) (if (= n 0) #t (o? (- n 1))))) (o? (lambda (n) (if (= n 0) #f (e? (- n 1)))))) (e? 5))"
)]
#[case::prelude("(map (lambda (x) (* x x)) (iota 4)) (reduce + 0 (list 1 2 3))")]
#[case::forward("(j* (lambda (x) (write (* x (sin x)))) 2 1) (cdr (j* (lambda (x) (cdr (j* exp x 1))) 0 1))")]
#[case::reverse("(*j (lambda (x) (let ((y (* x x))) (write y))) 3 1) (*j (lambda (x) (cdr (j* exp x 1))) 0 1)")]
#[case::computations("(primops (lambda (x) (write (* x (sin x)))) 2) (primops (lambda (x) (primops exp x)) 0)")]
#[case::capsules(
    "(define z (interrupt (lambda (x) (let ((y (write (* x x)))) (list y (write x)))) 3 8)) (+ 1 (car (resume z))) (resume z)"
)]
#[case::capsules_of_capsules(
    "(resume (interrupt (lambda (z) (list 1 (resume z))) (interrupt (lambda (x) (* x x)) 3 2) 5))"
)]
#[case::checkpoints(
    "(checkpoint-*j (lambda (x) (let ((y (* x x))) (write y))) 3 1 #f 1) (checkpoint-*j (lambda (x) (cdr (j* exp x 1))) 0 1)"
)]
#[case::choices("(if-procedure (< 1 2) (lambda () (write 3)) (lambda () 4)) ((if #f car cdr) (cons 5 6))")]
fn limits_stop_at_every_step(#[case] program: &str) {
    check_limits(program);
}

/// Tests a longer program that combines all constructs.
#[test]
fn limits_stop_at_every_step_of_all_constructs() {
    let steps = check_limits(
        "
(define (square x) (* x x))
(define (fold f x l) (if (null? l) x (fold f (f x (car l)) (cdr l))))
(define constants '(1 2 (3 . #t)))
(write (+ 1 (if (< 1 2) (* 2 (square 3)) 4)))
(let* ((a (list 1 2 3)) (b (cons 0 a)) ((cons c d) b))
  (letrec ((even? (lambda (n) (if (zero? n) #t (odd? (- n 1)))))
           (odd? (lambda (n) (if (zero? n) #f (even? (- n 1))))))
    (list (even? 4) (odd? c) (fold + 0 d) (map square b))))
(j* (lambda (x) (* x (cdr (*j (lambda (y) (+ x (square (exp y)))) x 1)))) 0.5 1)
(*j (lambda ((list x f)) (f (* x x))) (list 3 (let ((k 2)) (lambda (y) (* k y)))) 1)
(if-procedure #f square (lambda () (or #f (and 1 (write-real 7)))))
",
    );
    assert!(steps > 300);
}
