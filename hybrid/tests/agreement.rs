//! Differential tests against the interpreter: the same programs give the same outputs to the bit, the same errors in
//! all detail, and the same steps. The translated code passes its checker.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

use vlad_ad::traps::Traps;
use vlad_core::Program;
use vlad_frontend::load::{self, Input, Options};
use vlad_hybrid::code::{Block, End, Layout, Location, Operation};
use vlad_hybrid::{check, lowering};
use vlad_runtime::run::{Host, Limits, Report, StreamHost};
use vlad_table::number::Notation;

type Engine = fn(&Program, &mut dyn Host, &Limits) -> Report;

/// The observable result of a run: its output, its outcome, its steps.
fn observe(engine: Engine, program: &Program, input: &str, steps: Option<u64>) -> String {
    let mut host = StreamHost::new(input.as_bytes(), Vec::new(), Notation::WithBits);
    let report = engine(program, &mut host, &Limits { steps, ..Limits::default() });
    let output = String::from_utf8(host.into_output()).unwrap();
    format!("{output}{:#?}\n{} steps", report.outcome, report.steps)
}

fn loaded(text: &str) -> Program {
    let source = Input::Text { name: "program".into(), bytes: text.into(), folder: None };
    load::load(source, &Options::default()).unwrap_or_else(|failure| panic!("{text}: {:?}", failure.diagnostics))
}

fn agree(text: &str, input: &str) {
    let program = loaded(text);
    let converted = vlad_cps::pipeline(&program);
    check::check(&lowering::lower(&program, &converted, Traps::Off))
        .unwrap_or_else(|message| panic!("{text}: {message}"));
    for steps in [None, Some(5), Some(17), Some(40)] {
        let expected = observe(vlad_interp::run, &program, input, steps);
        let found = observe(vlad_hybrid::run, &program, input, steps);
        assert_eq!(found, expected, "{text} at {steps:?}");
    }
}

#[test]
fn programs_that_finish() {
    for text in [
        "",
        "1 #t '() car (lambda (x) x)",
        "(define (f x) (if (null? x) 0 (+ (car x) (f (cdr x))))) (f '(1 2 3.5)) (map f '((1) (2 3)))",
        "(define (f a b) (let loop ((i 0) (s a)) (if (= i b) s (loop (+ i 1) (* s (+ i 0.1)))))) (f 2 10) f",
        "(define (swap a b n) (if (zero? n) (list a b) (swap b a (- n 1)))) (swap 1 2 7)",
        "(define (rotate a b c n) (if (zero? n) (list a b c) (rotate (+ b 0) a c (- n 1)))) (rotate 1 2 3 7)",
        "(define (fibonacci n) (if (< n 2) n (+ (fibonacci (- n 1)) (fibonacci (- n 2))))) (fibonacci 15)",
        "(define (f x (cons 1 y)) (lambda (z) (list x y z))) ((f 5 1 2) 3) (f 5 1) (reduce + 0 '(1 2 3))",
        "(let (((cons a b) (cons 1 2)) ((list) '()) ((list c (cons d '(3))) '(7 (8 3)))) (list a b c d))",
        "(define (g f) (f 1 2 3)) (g -) (g (lambda (x y) (cons y x))) (g (lambda x x)) (g +) (g (lambda (x y z) y))",
        "(define (g t f) (f t)) (g '(1 2 . 3) (lambda (x y z) (list z y x))) (g 4 (lambda (x) x)) (g '(1 . 2) -)",
        "(letrec ((even (lambda (n) (if (zero? n) #t (odd (- n 1))))) (odd (lambda (n) (if (zero? n) #f (even (- n 1))))))
           (list (even 9) (odd 9) even))",
        "(define (power x n) (if (zero? n) 1 (* x (power x (- n 1)))))
         (j* (lambda (x) (cdr (j* (lambda (y) (* (power y 3) (sin x))) x 1))) 3 1)
         (*j (lambda (x) (cdr (*j (lambda (y) (* (power y 3) (exp x))) x 1))) 0.3 1)
         (j* power '(2 . 3) '(1 . 0))",
        "(j* j* (cons* sqrt 2 1) (cons* sqrt 1 0)) (map sqrt '(1 2)) (if-procedure 1 (lambda () 2) 3)",
        "(let ((t (cons* #f 1 (lambda () 7)))) (if-procedure t)) (let ((o j*)) (o sin 1 1)) (let ((t '(2 1))) (/ t))",
        "(write (+ (read-real) (read-real))) (write-real (read-real)) (max 1 2 3) (< 1 2 3) (atan 1 2) (atan 1) (+) (- 4)",
        "(define a 1) (define (f) a) (define b (+ a (f))) (list a b ((if (= a 1) car cdr) '(5 6)))",
        "(equal? (list 1 car (lambda (x) x)) (list 1 car (lambda (y) y)))",
    ] {
        agree(text, "1 2.5 3");
    }
}

#[test]
fn programs_that_fail() {
    for text in [
        "(define (f x) (+ 1 (g x))) (define (g x) (* 2 (car x))) (f 1)",
        "(define (f x) (+ 1 (f (car x)))) (write 1) (+ 2 (f '((((1))))))",
        "(define (f x) (let ((y (f (cdr x)))) (cons y x))) (list (f '(1 2)))",
        "(define (f x y) x) (+ 1 (f 1))",
        "(define (f x y) x) (define (g h) (+ 1 (h 1))) (* (g f) 2)",
        "(define (f (cons x 1) y) x) (define (g h) (h 1 2 3)) (* (g f) 2)",
        "(define (f) 1) (+ (f 1 2) 3)",
        "(map (lambda (x) (car x)) '((1) 2))",
        "(+ 1 (length 5))",
        "(define (f l) (+ 1 (length l))) (list (f 7))",
        "(+ 1 (map car 3))",
        "(define (f x) (map (lambda (y) (+ 1 (car y))) x)) (+ 1 (f '(1)))",
        "(1 2)",
        "(define (f g) (+ 1 (g 2))) (cons 1 (f 3))",
        "(+ 1 (j* (lambda (x) (+ 1 (car x))) 1 1))",
        "(+ 1 (*j (lambda (x) (list x x)) 1 1))",
        "(+ 1 (j* sin 1 '(1)))",
        "(+ 1 (j* sin 1))",
        "(let ((f j*)) (* 2 (f sin)))",
        "(+ (if-procedure #t car cdr) 1)",
        "(define (f) b) (write (f)) (define b 1)",
        "(define a (+ 1 a))",
        "(let (((cons a b) 5)) a)",
        "(define (f x) (+ 1 (let (((list a b) x)) (+ a b)))) (+ (f '(1 2)) (f '(1 2 3)))",
        "(+ 1 (read-real))",
        "(define (f x) (* (if (car x) (f 1) 2) (if (if (f x) (f 2) (f 3)) x (f 4)))) (f '(#t))",
        "(let ((f car)) (+ 1 (f 3)))",
        "(define (f g) (g 3)) (+ 1 (f car)) ",
        "(reduce + 0 '(1 2 #t))",
    ] {
        agree(text, "");
    }
}

#[test]
fn depth_is_bounded_by_memory_only() {
    for text in [
        "(define (f n) (if (zero? n) 0 (+ 1 (f (- n 1))))) (f 1000000)",
        "(length (map - (iota 1000000)))",
        "(define (f n) (if (zero? n) (car 0) (+ 1 (f (- n 1))))) (f 100000)",
        "(define (f n x) (if (zero? n) x (f (- n 1) (lambda () x)))) (f 300000 1)",
    ] {
        agree(text, "");
    }
}

/// The checker detects a block that keeps a value it should move, omits a move, writes to a wrong register, counts
/// wrong steps, has a wrong origin, or reads an empty register.
#[test]
fn wrong_code_is_found() {
    let text = "(define (f x y) (if (null? x) y (if (= y 0) 7 (+ (car x) (f (cdr x) (* y y)))))) (f '(1 2) 3)";
    let program = loaded(text);
    let converted = vlad_cps::pipeline(&program);
    let spoil: [fn(&mut Block, Layout) -> bool; 6] = [
        |block, _| {
            let End::Return(Location::Moved(register)) = block.end else { return false };
            block.end = End::Return(Location::Kept(register));
            true
        },
        |block, _| {
            let End::Enter { moves, .. } = &mut block.end else { return false };
            let old = std::mem::take(moves);
            !old.before.is_empty() || !old.after.is_empty()
        },
        |block, _| match &mut *block.operations {
            [.., Operation::Binary { to, .. }] => {
                *to += 1;
                true
            }
            _ => false,
        },
        |block, _| {
            block.steps += 1;
            true
        },
        |block, _| match &mut *block.origins {
            [first, ..] => {
                *first += 1;
                true
            }
            [] => false,
        },
        // A block that returns a constant leaves all registers empty.
        |block, layout| match block.end {
            End::Return(Location::Kept(index)) if index < layout.primitives => {
                block.end = End::Return(Location::Kept(layout.registers));
                true
            }
            _ => false,
        },
    ];
    for (number, spoil) in spoil.into_iter().enumerate() {
        let mut spoilt = 0;
        for place in 0..converted.blocks.len() {
            let mut code = lowering::lower(&program, &converted, Traps::Off);
            let layout = code.layout;
            if spoil(&mut code.blocks[place], layout) {
                spoilt += 1;
                assert!(check::check(&code).is_err(), "spoilt in way {number}: {:#?}", code.blocks[place]);
            }
        }
        assert!(spoilt > 0, "no block could be spoilt in way {number}");
    }
}
