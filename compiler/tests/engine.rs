//! The whole engine against the interpreter: values with their bits, outputs, faults with their places, and steps.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

use std::fmt::Write;
use std::thread;
use std::time::Duration;
use vlad_ad::traps::Traps;
use vlad_compiler::compiled::cache::CachePolicy;
use vlad_compiler::foreign::Counting;
use vlad_compiler::toolchain::Optimisation;
use vlad_compiler::{Loaded, Settings, Specialise, Task, compile, tagged};
use vlad_core::Program;
use vlad_core::diagnostic::Kind;
use vlad_core::source::Span;
use vlad_frontend::load::{Input, Options, load};
use vlad_runtime::run::{Host, Limits, Outcome, Report, StreamHost};
use vlad_table::number::Notation;

fn program(text: &str) -> Program {
    let input = Input::Text { name: "program".to_owned(), bytes: text.as_bytes().to_vec(), folder: None };
    load(input, &Options::default()).unwrap()
}

fn settings() -> Settings {
    Settings { cache: CachePolicy::Bypass, specialise: Specialise::Never, ..Settings::default() }
}

fn not_optimised() -> Settings {
    Settings { optimisation: Some(Optimisation::Least), ..settings() }
}

fn with_steps(steps: u64) -> Limits {
    Limits { steps: Some(steps), ..Limits::default() }
}

/// The observable results of a run, as text.
fn shown(run: impl FnOnce(&mut dyn Host) -> Report) -> String {
    let mut host = StreamHost::new(&b"3 1 4 1 5 9 x"[..], Vec::new(), Notation::WithBits);
    let report = run(&mut host);
    let mut text = String::from_utf8(host.into_output()).unwrap();
    match report.outcome {
        Outcome::Finished | Outcome::Stopped => {}
        Outcome::OutputClosed => text.push_str("closed\n"),
        Outcome::Failed(diagnostic) => writeln!(text, "{diagnostic:#?}").unwrap(),
    }
    text + &format!("{} steps", report.steps)
}

fn native(loaded: &Loaded, program: &Program, limits: &Limits) -> String {
    shown(|host| loaded.run(program, host, limits))
}

fn interp(program: &Program, limits: &Limits) -> String {
    shown(|host| vlad_interp::run(program, host, limits))
}

/// Compares programs that end, in batched compilation, counting by block and by node.
fn agree_with(texts: &[String], settings: &Settings) {
    let programs: Vec<Program> = texts.iter().map(|text| program(text)).collect();
    for limits in [Limits::default(), with_steps(u64::MAX >> 1)] {
        let tasks: Vec<Task<'_>> = programs.iter().map(|program| Task::with_limits(program, &limits)).collect();
        for ((text, program), loaded) in texts.iter().zip(&programs).zip(compile(&tasks, settings).unwrap()) {
            let (expected, found) = (interp(program, &limits), native(&loaded, program, &limits));
            assert_eq!(found, expected, "{:.300}", text);
        }
    }
}

fn agree(texts: &[&str]) {
    agree_with(&texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>(), &settings());
}

#[test]
fn values() {
    agree(&[
        "",
        "1 -0. '(1 #t ()) '(1 . 2) car (lambda (x) x) -1e300 +inf.0 (- +inf.0) (/ 0. 0) 1e-320",
        "(define (f x y) (cons y x)) (f 1 2) (f 1 2 3) ((lambda (g) (g 1 2)) f)",
        "(+) (*) (+ 1) (- 1) (/ 4) (+ 1 2 3 4) (- 1 2 3) (max 1 2 3) (atan 1) (atan 1 2) (real 3) (expt 2 0.5)",
        "(= 1) (= 1 1 1) (< 1 2 2) (<= 1 2 2) (zero? 0) (negative? -0.) (null? '()) (procedure? car) (not #f) (not '())",
        "(let (((cons a b) (cons 1 2)) ((list c d) '(3 4))) (list a b c d)) ((lambda (#t 3 x) x) #t 3 '(4))",
        "(car (cdr (list 1 2 3))) (equal? '(1 2) (list 1 2)) (if '() 1 2) (if #f 1) (let* ((a 1) (b a)) (+ a b))",
        "(read-real) (write (list 1 (read-real))) (write-real 5) (+ (read-real) (read-real))",
    ]);
}

#[test]
fn procedures() {
    agree(&[
        "(define (even n) (if (zero? n) #t (odd (- n 1)))) (define (odd n) (if (zero? n) #f (even (- n 1)))) (even 101)",
        "(define (f n) (letrec ((a (lambda (i) (if (= i n) n (b (+ i 1))))) (b (lambda (i) (a i)))) (cons (a 0) b))) ((cdr (f 9)) 1)",
        "(define (loop n) (let go ((i 0) (s '())) (if (= i n) s (go (+ i 1) (cons (lambda (x) (+ x i n)) s))))) (map (lambda (f) (f 1)) (loop 5))",
        "(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))) (fib 15)",
        "(define (curry f) (lambda (x) (lambda (y) (f x y)))) (((curry +) 1) 2) (((curry cons) 1) '()) (equal? (curry car) (curry car))",
        "(define (f x) (g x)) (define (g x) (* 2 x)) (f 4) (define h (compose f g)) (h 2) (h 3)",
        "(define (f a b c d) (list d c b a)) (f 1 2 3 4) (f 1 2 3 4 5) (let ((g f)) (g 1 2 3 4)) (map (lambda (x) (f x x x x)) '(1 2))",
        "(define (f x) (* (if (< x 0) (f 1) 2) (if (if (= x 1) #f (> x 2)) x 4) (let ((y (if (= x 3) 1 (f 3)))) y))) (f -1) (f 3)",
    ]);
}

#[test]
fn derivatives() {
    agree(&[
        "(define (f x) (* x (sin x) (exp x))) (j* f 2 1) (*j f 2 1) (j* (lambda (x) (cdr (*j f x 1))) 2 1) (*j (lambda (x) (cdr (j* f x 1))) 2 1)",
        "(*j (lambda ((cons a b)) (cons (* a b) (/ a b))) '(3 . 4) '(1 . 2)) (j* car '(1 2) '(3 4)) (zero '(1 #t)) (plus '(1 . 2) '(3 . 4))",
        "(define (d f) (lambda (x) (cdr (j* f x 1)))) ((d (d (d (lambda (x) (expt x 5))))) 2)",
        "(if-procedure #t (lambda () 1) (lambda () 2)) (map (lambda (c) (if-procedure c (lambda () c) (lambda () 0))) '(1 #f))",
    ]);
}

#[test]
fn tagged_values() {
    agree(&[
        "(j* '(1 2)) (tangent (j* '(1 #t))) (bundle '(1 . 2) (perturb '(3 . 4))) (equal? (j* (j* 1)) (bundle (bundle 1 0) (bundle 0 0)))",
        "(define (f x) (* x (sin x))) (define (d f) (lambda (x) (tangent ((j* f) (bundle x 1))))) ((d (d f)) 2) ((perturb f) (perturb 2))",
        "(define (f x) (* x (sin x))) (define (d f) (lambda (x) (cdr ((cdr ((*j f) (*j x))) 1)))) ((d f) 2) ((d (d (d f))) 2)",
        "(define (f a) (lambda (x) (* a x x))) (define b (cdr ((*j (f 5)) (*j 3)))) (b 1) (b (sensitize 2)) ((zero b) 1) ((plus b b) 1) b",
        "(let ((b (cdr ((*j (lambda (x) (* x (read-real)))) (*j 2))))) (list (b 1) (b 2) ((zero b) 1) (read-real) ((primal (j* b)) 1)))",
        "(define (f x) (cdr ((*j (lambda (y) (* x y))) (*j x)))) (define p (j* f 3 1)) ((car p) 1) ((cdr p) 1) (*j (lambda (x) (cdr ((f x) x))) 3 1)",
        "(define (f x) (let ((b (cdr ((*j sin) (*j x))))) (* (cdr (b x)) (cdr (b 2))))) (checkpoint-*j f 2 1) (resume (interrupt f 2 9))",
        "(define b (cdr ((*j (lambda (x) (cons x (* x x)))) (*j 3)))) (b '(1 . 2)) (let ((c b)) (j* (lambda (y) (c (cons y y))) 1 1)) (b 1)",
        "((j* sin) 1)",
        "((*j sin) (perturb 1))",
        "((perturb 1) (perturb 2))",
        "(bundle (list 1 sin) (list 1 cos))",
        "(*j-inverse (perturb 1))",
    ]);
}

#[test]
fn faults() {
    agree(&[
        "(define (f x) (+ 1 (car x))) (list (f '(1)) (f 2))",
        "(define (f x y) (* x y)) (write 1) (+ 1 (f 2))",
        "(map 3 '(1 2)) 4",
        "(define (f g) (list (g 1) 2)) (f (lambda (a b) a))",
        "(sum '(1 #t))",
        "(map (lambda (x) (+ x '())) (list 1))",
        "(define (f) (g 1)) (write 2) (f) (define (g x) x)",
        "(let (((list a b) '(1))) a)",
        "(j* (lambda (x) x) 1 '())",
        "(*j (lambda (x) (cons x x)) 1 1)",
        "(+ 1 (j* car 1 1))",
        "(define (f n) (if (= n 0) (car n) (+ 1 (f (- n 1))))) (f 200)",
        "(read-real) (list (read-real) (read-real) (read-real) (read-real) (read-real) (read-real))",
        "((if #t 1 2) 3)",
        "(reduce (lambda (x) x) 0 '(1 2))",
        "(map car 5)",
        "(third '(1 2))",
    ]);
}

#[test]
fn every_limit_stops_at_the_same_node() {
    let text = "(define (f x y) (if (< x 3) (cons (f (+ x 1) y) (cdr (j* sin x y))) (map (lambda (z) (* z x)) (list x y)))) (write 1) (f 0 2)";
    let program = program(text);
    let loaded = compile(&[Task::with_limits(&program, &with_steps(0))], &settings()).unwrap();
    let all = shown(|host| vlad_interp::run(&program, host, &Limits::default()));
    let steps: u64 = all.rsplit('\n').next().unwrap().trim_end_matches(" steps").parse().unwrap();
    for limit in 0..=steps + 1 {
        let limits = with_steps(limit);
        assert_eq!(native(&loaded[0], &program, &limits), interp(&program, &limits), "limit {limit}");
    }
}

/// Programs that become several C functions where a short one is one: with spilled blocks and with blocks in chunks.
fn long() -> Vec<String> {
    let row = |count: usize, part: &dyn Fn(usize) -> String| (0..count).map(part).collect::<Vec<_>>().join(" ");
    let conditions =
        |count: usize| (0..count).fold("x".to_owned(), |rest, n| format!("(if (= x {n}) (+ y {n}) {rest})"));
    vec![
        format!("(define (f x y) (list {})) (f 1 2)", row(400, &|n| format!("(+ x (* y {n}))"))),
        format!("(define (f x y) {}) (map (lambda (n) (f n 1)) '(0 7 150 299 1000))", conditions(300)),
        format!(
            "(define (f x) x) (define (g y) (let* ({}) (list x0 x7 x149 y))) (g 4)",
            row(150, &|n| format!("(x{n} (+ {n} (f y)))"))
        ),
        format!("(define (f x) (lambda (y) (+ {}))) ((f 1) 2)", row(300, &|n| format!("(if (< x {n}) x y)"))),
        format!(
            "(define (f x y) (let* ({}) (+ {}))) (f 1 2) (f 1 '())",
            row(300, &|n| format!("(a{n} (* x {n}))")),
            row(300, &|n| format!("a{n} y"))
        ),
        format!(
            "{}(f99 3)",
            row(100, &|n| format!("(define (f{n} x) (if (< x 1) x (f{} (- x 1))))", n.saturating_sub(1)))
        ),
    ]
}

#[test]
fn long_programs_are_cut() {
    let check = |text: &String| {
        let program = program(text);
        tagged::check(&program, &vlad_cps::pipeline(&program)).unwrap();
        // The partition does not depend on the degree of optimisation.
        agree_with(std::slice::from_ref(text), &not_optimised());
    };
    let texts = long();
    thread::scope(|scope| {
        for text in &texts {
            scope.spawn(|| check(text));
        }
    });
}

/// A long chain of definitions, each of which refers to the next one and to one far back.
#[test]
fn ten_thousand_definitions_call_each_other() {
    let definition = |n: usize| format!("(define (f{n} x) (if x (f{} x) (f{} 1)))\n", n + 1, n / 2);
    let text = (0..10_000).map(definition).collect::<String>() + "(define (f10000 x) x) (f7 #f)";
    let program = program(&text);
    let limits = Limits::default();
    let loaded = compile(&[Task::with_limits(&program, &limits)], &settings()).unwrap();
    assert_eq!(native(&loaded[0], &program, &limits), interp(&program, &limits));
}

/// The error of an endless run that a limit of time or memory stops: the text at its place, and at its pending calls.
fn stopped(text: &str, limits: &Limits) -> Vec<(String, String)> {
    let program = program(text);
    [Counting::ByBlock, Counting::Stoppable]
        .map(|counting| {
            let loaded =
                compile(&[Task { program: &program, counting, tagged_from: None, traps: Traps::Off }], &settings())
                    .unwrap();
            let mut host = StreamHost::new(&b""[..], Vec::new(), Notation::WithBits);
            let Outcome::Failed(diagnostic) = loaded[0].run(&program, &mut host, limits).outcome else {
                panic!("{text} is stopped")
            };
            assert!(matches!(diagnostic.kind, Kind::Time | Kind::Memory), "{diagnostic:#?}");
            let at = |span: Option<Span>| {
                let span = span.unwrap();
                text[span.start as usize..span.end as usize].to_owned()
            };
            let calls: Vec<String> = diagnostic.chain.iter().map(|call| at(Some(call.span))).collect();
            (at(diagnostic.span), calls.join(" "))
        })
        .to_vec()
}

/// The place that is shown is never in a call that has returned.
#[test]
fn limits_of_time_and_memory_are_shown_in_code_that_runs() {
    let stale = "(define (f x) (* x x)) (define (apply h x) (h x)) ";
    let build = "(define (build n l) (if (= n 0) l (build (- n 1) (cons n l)))) (define l (build 100000 '())) ";
    let main = "(define (main n) (+ 1 (loop n))) (+ 2 (begin (apply f 3) (main 1e300)))";
    let calls = "(loop n) (begin (apply f 3) (main 1e300))";
    let time = Limits { time: Some(Duration::from_millis(200)), ..Limits::default() };
    for limits in [&time, &Limits { memory: Some(1), ..Limits::default() }] {
        let text = format!("{stale}(define (loop n) (if (= n 0) n (loop (- n 1)))) {main}");
        for (place, chain) in stopped(&text, limits) {
            assert!("(if (= n 0) n (loop (- n 1)))".contains(&place) && chain == calls, "{place} in {chain}");
        }
        // A body of several functions, which are continued by frames.
        let text = format!("{stale}(define (loop n) (begin (f (+ 1 (f n))) (f 2) (loop (- n 1)))) {main}");
        for (place, chain) in stopped(&text, limits) {
            let in_loop = "(begin (f (+ 1 (f n))) (f 2) (loop (- n 1)))".contains(&place) && chain == calls;
            let in_f = place == "(* x x)" && chain.ends_with(calls);
            assert!(in_loop || in_f, "{place} in {chain}");
        }
    }
    // Inside the prelude: at the program's call of it, which is not the last call that was made.
    let text = format!("{stale}{build}(define (loop n) (begin (+ 1 (length l)) (loop n))) {main}");
    for (place, chain) in stopped(&text, &time) {
        assert!(place.contains("(length l)") && chain.ends_with(calls), "{place} in {chain}");
    }
    // A block of the prelude that cannot fail has no call site: then the place is the innermost call that awaits its
    // value.
    let text = format!("{stale}{build}(define (tail) (map f l)) (define (loop n) (begin (tail) (loop n))) {main}");
    for (place, chain) in stopped(&text, &time) {
        let places = ["(map f l)", "(tail)", "(* x x)", "(begin (tail) (loop n))"];
        assert!(places.contains(&&*place) && chain.ends_with(calls), "{place} in {chain}");
    }
}

/// The copy of a value that is written counts towards the limits of time and memory.
#[test]
fn limits_hold_while_values_are_copied() {
    let list = format!("'({})", "1 ".repeat(5000));
    let limits = Limits { memory: Some(1), ..Limits::default() };
    for text in [list.clone(), format!("(write {list})")] {
        for (place, chain) in stopped(&text, &limits) {
            assert_eq!((place, chain), (text.clone(), String::new()));
        }
    }
}

/// Deep and long runs, which need no host stack.
fn endurance() -> Vec<String> {
    [
        "(define (loop i s) (if (= i 300000) s (loop (+ i 1) (+ s i)))) (loop 0 0)",
        "(define (deep n) (if (= n 0) 0 (+ 1 (deep (- n 1))))) (deep 300000)",
        "(define (even n) (if (zero? n) #t (odd (- n 1)))) (define (odd n) (if (zero? n) #f (even (- n 1)))) (even 300000)",
        "(define (build n l) (if (= n 0) l (build (- n 1) (cons n l)))) (length (map (lambda (x) (* x 2)) (build 100000 '())))",
        "(define (f n k) (if (= n 0) (k 0) (f (- n 1) (lambda (x) (k (+ x 1)))))) (f 100000 (lambda (x) x))",
    ]
    .map(str::to_owned)
    .to_vec()
}

#[test]
fn runs_are_as_deep_as_memory_allows() {
    agree_with(&endurance(), &settings());
}

/// Without optimisation tail calls remain calls: the host stack is bounded by the returns to the driver.
#[test]
fn nothing_rests_on_the_optimiser() {
    agree_with(&endurance(), &not_optimised());
}
