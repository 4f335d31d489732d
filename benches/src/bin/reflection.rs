//! Prints the cost of derivatives in the reflective style relative to the same in the operator style, on every engine:
//! medians of the ratios of turns in which both ran, one after the other.
//!
//! `cargo run --release -p vlad-benches --bin reflection [TURNS]` prints Markdown, ready for `benches/record`. A
//! program is written once, in terms of `push` and `pull`, which each style defines in its own way; both must print the
//! same.

use std::io::{self, Write};
use vlad_benches::{Arguments, COMMAND_LIMITS, Subject, fault, median};
use vlad_engines::Engine;
use vlad_shared::core::Program;
use vlad_shared::frontend::load::{Input, Options, load};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// `(push f x x')` is the directional derivative of f at x along x', `(pull f x y')` the cotangent of x.
const OPERATORS: &str = "
(define (push f x dx) (cdr (j* f x dx)))
(define (pull f x dy) (cdr (*j f x dy)))";

/// The style of TR-ECE-08-01, and its extension to reverse mode.
const PLAIN: &str = "
(define (push f x dx) (tangent ((j* f) (bundle x dx))))
(define (pull f x dy) (cdr ((cdr ((*j f) (*j x))) dy)))";

/// The style with tagged tangents and cotangents.
const TAGGED: &str = "
(define (push f x dx) (unperturb (tangent ((j* f) (bundle x (perturb dx))))))
(define (pull f x dy) (cdr (unsensitize ((cdr ((*j f) (*j x))) (sensitize dy)))))";

const COMMON: &str = "
(define (logistic n x) (if (= n 0) x (logistic (- n 1) (* 3.2 (* x (- 1 x))))))
(define (total n f) (let loop ((n n) (s 0)) (if (= n 0) s (loop (- n 1) (+ s (f n))))))
(define (at n) (/ n 1e6))
(define (energy v) (sum (map (lambda (x) (* x (sin x))) v)))
(define (model data) (lambda (w) (sum (map (lambda (x) (sqr (- (* w x) (sin x)))) data))))";

/// Each title, and the expression that is measured.
const WORK: [(&str, &str); 9] = [
    ("forward, 3 operations", "(total 60000 (lambda (n) (push (lambda (x) (* x (sin x))) (at n) 1)))"),
    ("reverse, 3 operations", "(total 60000 (lambda (n) (pull (lambda (x) (* x (sin x))) (at n) 1)))"),
    ("forward, 300 operations", "(total 1000 (lambda (n) (push (lambda (x) (logistic 100 x)) (at n) 1)))"),
    ("reverse, 300 operations", "(total 1000 (lambda (n) (pull (lambda (x) (logistic 100 x)) (at n) 1)))"),
    (
        "forward over forward, 300 operations",
        "(total 300 (lambda (n) (push (lambda (x) (push (lambda (x) (logistic 100 x)) x 1)) (at n) 1)))",
    ),
    (
        "forward over reverse, 300 operations",
        "(total 300 (lambda (n) (push (lambda (x) (pull (lambda (x) (logistic 100 x)) x 1)) (at n) 1)))",
    ),
    ("reverse, 100 positions", "(total 300 (lambda (n) (sum (pull energy (map-n at 100) 1))))"),
    ("forward, 100 captured reals", "(let ((f (model (map-n at 100)))) (total 300 (lambda (n) (push f (at n) 1))))"),
    ("reverse, 100 captured reals", "(let ((f (model (map-n at 100)))) (total 300 (lambda (n) (pull f (at n) 1))))"),
];

fn main() -> io::Result<()> {
    let turns = Arguments::read(9, &[])?.turns;
    let mut out = io::stdout();
    writeln!(out, "| program | engine | turns | operators, s | plain / operators | tagged / operators |")?;
    writeln!(out, "|---|---|---|---|---|---|")?;
    for (title, expression) in WORK {
        let programs = [program(OPERATORS, expression)?, program(PLAIN, expression)?, program(TAGGED, expression)?];
        for engine in Engine::ALL {
            let [time, plain, tagged] = measure(engine, &programs, turns)?;
            writeln!(out, "| {title} | {engine} | {turns} | {time:.2e} | {plain:.2} | {tagged:.2} |")?;
        }
    }
    Ok(())
}

fn program(style: &str, expression: &str) -> io::Result<Program> {
    let bytes = format!("{style}\n{COMMON}\n{expression}").into_bytes();
    let input = Input::Text { name: "program".to_owned(), bytes, folder: None };
    load(input, &Options::default()).map_err(|failure| fault(format!("{:?}", failure.diagnostics)))
}

/// The median time of the first program, and the medians of the ratios of the others' times to its time.
fn measure(engine: Engine, programs: &[Program; 3], turns: usize) -> io::Result<[f64; 3]> {
    let subjects: Vec<Subject<'_>> =
        programs.iter().map(|program| Subject::new(engine, program, &COMMAND_LIMITS)).collect::<io::Result<_>>()?;
    let mut figures: [Vec<f64>; 3] = Default::default();
    for _ in 0..turns {
        let runs = subjects.iter().map(Subject::run).collect::<io::Result<Vec<_>>>()?;
        let [(first, expected), others @ ..] = runs.as_slice() else { return Err(fault("there are three programs")) };
        let first = first.as_secs_f64();
        figures[0].push(first);
        for ((time, conduct), ratios) in others.iter().zip(figures.iter_mut().skip(1)) {
            if conduct.output != expected.output {
                return Err(fault(format!("{engine}: the styles print different values")));
            }
            ratios.push(time.as_secs_f64() / first);
        }
    }
    Ok(figures.map(|figures| median(&figures)))
}
