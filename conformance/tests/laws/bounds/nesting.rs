//! Tests of the limit on nested calls: each program has a least depth with which it ends as without a limit, and under each
//! smaller one every engine stops at the same call, with the same error, output, steps and pending calls.

use crate::runs::loaded;
use rstest::rstest;
use std::fmt::Write as _;
use vlad_conformance::fast_build::fast_build_settings;
use vlad_conformance::random::program::generate;
use vlad_conformance::random::{Case, GeneratorOptions};
use vlad_engines::{Engine, Ready, Task};
use vlad_shared::core::Program;
use vlad_shared::core::diagnostic::Kind;
use vlad_shared::frontend::load::{Input, Options, load};
use vlad_shared::runtime::run::{Limits, Outcome, StreamHost};
use vlad_shared::table::number::Notation;

/// The output, the error and the steps of a run, and true if the limit on nested calls has ended it.
fn shown(ready: &Ready, program: &Program, input: &str, depth: Option<u64>, steps: Option<u64>) -> (String, bool) {
    let mut host = StreamHost::new(input.as_bytes(), Vec::new(), Notation::WithBits);
    let report = ready.run(Task { program, limits: &Limits { depth, steps, ..Limits::default() } }, &mut host);
    let mut shown = String::from_utf8(host.into_output()).unwrap();
    let mut is_too_deep = false;
    if let Outcome::Failed(diagnostic) = &report.outcome {
        is_too_deep = diagnostic.kind == Kind::Depth;
        let _ = write!(shown, "{diagnostic:#?}");
    }
    let _ = write!(shown, "{} steps", report.steps);
    (shown, is_too_deep)
}

fn ready(engine: Engine, programs: &[&Program], steps: Option<u64>) -> Vec<Ready> {
    let limits = Limits { steps, ..Limits::default() };
    let tasks: Vec<Task<'_>> = programs.iter().map(|program| Task { program, limits: &limits }).collect();
    engine.make_ready(&tasks, &fast_build_settings()).unwrap()
}

#[rstest]
#[case::recursion("(define (f n) (if (= n 0) 0 (+ n (f (- n 1))))) (write (f 5)) (f 7)", 7)]
#[case::tails("(define (f n) (if (= n 0) 0 (f (- n 1)))) (list (f 100) (+ 1 (f 100)))", 1)]
#[case::operands("(define (f n) (if (= n 0) 1 (let ((x (f (- n 1))) (y (f (- n 1)))) (+ (* x y) (f 0))))) (f 3)", 3)]
#[case::operators("(define (k) car) (define (g p) ((k) ((k) p))) (if (= (g '((1))) 1) (cons (g '((2))) 3) 4)", 2)]
#[case::primitives(
    "(define (apply f x) (+ 1 (f x))) (apply sin 0) (apply (lambda (x) x) 0) (map sqrt (list 1 4 9))",
    3
)]
#[case::loops(
    "(define (f n) (+ 1 (let loop ((i n)) (if (= i 0) 0 (loop (- i 1)))))) (f 50) (build 3 (lambda (i) (f i)))",
    2
)]
#[case::prelude("(map (lambda (x) (* x x)) (iota 4)) (reduce + 0 (list 1 2 3)) (ifold (lambda (s i) (+ s i)) 0 9)", 5)]
#[case::library("(include \"linear-algebra\") (matrix-inverse #(#(1 2) #(3 5)))", 4)]
#[case::not_a_procedure("(define (f g) (+ 1 (g 2))) (+ 1 (f 3))", 2)]
#[case::a_mismatch("(define (g a b) (+ a b)) (define (f x) (+ 1 (g x))) (+ 1 (f 3))", 2)]
#[case::forward(
    "(define (f x) (* x (sin x))) (define (g x) (+ 1 (cdr (j* f x 1)))) (j* g 2 1) (+ 1 (cdr (j* exp 0 1)))",
    1
)]
#[case::tagged("(define (f x) (* x x)) (+ 1 (primal ((j* f) (bundle 2 1)))) (car ((*j sin) (*j 1)))", 1)]
#[case::reverse("(define (f n x) (if (= n 0) x (* x (f (- n 1) x)))) (*j (lambda (x) (+ 1 (f 4 x))) 3 1)", 5)]
#[case::back("(define (f x) (+ 1 (* x x))) (define r ((*j f) (*j 3))) (+ 1 ((cdr r) 1)) r", 1)]
#[case::choices(
    "(if-procedure (< 1 2) (lambda () 3) (lambda () 4)) (+ 1 (if-procedure #f car (lambda () (+ 1 ((lambda (x) x) 4)))))",
    1
)]
#[case::counted(
    "(define (f n) (if (= n 0) 0 (+ n (f (- n 1))))) (+ 1 (primops f 3)) (primops (lambda (x) (+ 1 (primops f x))) 3)",
    4
)]
#[case::capsules(
    "(define (f n) (if (= n 0) 0 (+ n (f (- n 1))))) (define z (interrupt f 6 60)) (resume z) (+ 1 (resume z)) (+ 1 (resume (interrupt resume z 9)))",
    7
)]
#[case::capsules_within_expressions(
    "(define (f n) (if (= n 0) 0 (let ((x (cons n (list (f (- n 1)))))) (if (pair? x) (+ (car x) (car (cdr x))) 0))))
     (define (from s) (if (< s 60) (+ (resume (interrupt f 3 s)) (from (+ s 1))) 0)) (from 1)",
    62
)]
#[case::checkpoints(
    "(define (f n x) (if (= n 0) x (* x (f (- n 1) x)))) (+ 1 (car (checkpoint-*j (lambda (x) (+ 1 (f 4 x))) 3 1 #f 3)))",
    6
)]
fn every_engine_stops_at_the_same_call(#[case] text: &str, #[case] deepest: u64) {
    let program = loaded(text);
    for steps in [None, Some(1_000_000)] {
        let engines = Engine::ALL.map(|engine| (engine, ready(engine, &[&program], steps).remove(0)));
        let [(_, specification), others @ ..] = &engines;
        let (whole, _) = shown(specification, &program, "", None, steps);
        for depth in 0..=deepest {
            let specified = shown(specification, &program, "", Some(depth), steps);
            assert_eq!(specified.1, depth < deepest, "the limit {depth}: {}", specified.0);
            assert!(depth < deepest || specified.0 == whole, "{whole}\n{}", specified.0);
            for (engine, ready) in others {
                assert_eq!(shown(ready, &program, "", Some(depth), steps), specified, "{engine}, the limit {depth}");
            }
        }
    }
}

/// Tests random programs under some limits.
#[rstest]
#[case::on_all_engines(8000, 80, &Engine::ALL)]
#[case::without_compiling(9000, 1000, &[Engine::Interp, Engine::Hybrid])]
fn random_programs_stop_at_the_same_call(#[case] seed: u64, #[case] count: usize, #[case] engines: &[Engine]) {
    // The texts that are no programs are left out, and so are long programs.
    let most = Limits { steps: Some(60_000), ..Limits::default() };
    let ends = |case: Case| {
        let input = Input::Text { name: "program".to_owned(), bytes: case.bytes(), folder: None };
        let program = load(input, &Options::default()).ok()?;
        let mut host = StreamHost::new(&b""[..], Vec::new(), Notation::WithBits);
        let report = Ready::Hybrid.run(Task { program: &program, limits: &most }, &mut host);
        let goes_on = matches!(&report.outcome, Outcome::Failed(diagnostic) if diagnostic.kind == Kind::Steps);
        (!goes_on).then_some((case, program))
    };
    let generated = (seed..).map(|seed| generate(seed, GeneratorOptions::default()));
    let (cases, programs): (Vec<Case>, Vec<Program>) = generated.filter_map(ends).take(count).unzip();
    let references: Vec<&Program> = programs.iter().collect();
    let engines: Vec<(Engine, Vec<Ready>)> =
        engines.iter().map(|engine| (*engine, ready(*engine, &references, None))).collect();
    let mut stopped = 0;
    for (place, (case, program)) in cases.iter().zip(&programs).enumerate() {
        let input = case.input_text();
        for depth in [0, 1, 2, 3, 5, 9, 20] {
            let runs = engines
                .iter()
                .map(|(engine, ready)| (*engine, shown(&ready[place], program, &input, Some(depth), None)));
            let runs: Vec<(Engine, (String, bool))> = runs.collect();
            stopped += usize::from(runs[0].1.1);
            for (engine, run) in &runs[1..] {
                assert_eq!(run, &runs[0].1, "{engine}, the limit {depth}:\n{}", case.text());
            }
        }
    }
    assert!(stopped > count, "{stopped} runs of {count} programs are stopped");
}

/// Tests that specialised code, which counts calls roughly, goes no deeper than the limit: where calls wait for others on a path
/// or in loops, where recursions are within one another, and where nothing is left of a call's value or of the wait for it.
#[rstest]
#[case::twice("(define (f n) (if (= n 0) 0 (+ (f (- n 1)) (f 0)))) (f (read-real))")]
#[case::by_another(
    "(define (e n) (if (= n 0) 0 (+ 1 (o (- n 1))))) (define (o n) (if (= n 0) 0 (* 2 (e (- n 1))))) (e (read-real))"
)]
#[case::within(
    "(define (g n) (if (= n 0) 0 (+ 1 (g (- n 1))))) (define (f n m) (if (= n 0) (g m) (+ 1 (f (- n 1) m)))) (f (- (read-real) 1e6) 1e6)"
)]
#[case::swept(
    "(define (f n x) (if (= n 0) x (* x (f (- n 1) x)))) (define n (read-real)) (*j (lambda (x) (f n x)) 1 1)"
)]
#[case::passed_on("(define (f n) (if (= n 0) 0 (let ((r (f (- n 1)))) r))) (f (read-real))")]
#[case::left("(define (f n) (if (= n 0) 0 (let ((ignored (f (- n 1)))) 0))) (f (read-real))")]
fn specialised_code_is_no_deeper(#[case] text: &str) {
    let program = loaded(text);
    let native = ready(Engine::Native, &[&program], None).remove(0);
    let (shown, is_too_deep) = shown(&native, &program, "4000001", None, None);
    assert!(is_too_deep, "{shown}");
}
