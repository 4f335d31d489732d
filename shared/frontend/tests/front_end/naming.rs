//! Named core: forms are desugared, names are kept as written.

use super::text;
use vlad_frontend::load::{Options, named};
use vlad_frontend::vlad::prelude;

/// Returns the named core of a text.
fn shown(program: &str) -> String {
    named(text(program), &Options::default()).unwrap_or_else(|failure| panic!("{}", super::describe(&failure)))
}

/// Checks the named core of a text, and that the printed form has itself as its named core.
fn check(program: &str, expected: &str) {
    let once = shown(program);
    assert_eq!(once.split_whitespace().collect::<Vec<_>>().join(" "), expected, "for {program}");
    check_again(&once);
}

/// Checks that a printed form has itself as its named core. The names that no program can write are replaced by others.
fn check_again(once: &str) {
    let once = once.replace("#or", "_or").replace("#ignored", "_ignored");
    assert_eq!(shown(&once), once);
}

#[test]
fn each_construct_is_shown() {
    check("1 '() #t x '(1 (2 . #f))", "1 () #t x '(1 (2 . #f))");
    check("(lambda x x) (lambda () 1) (f)", "(lambda (x) x) (lambda (()) 1) (f ())");
    check(
        "(lambda (x (cons 1 y) (list '(2 3))) (f x y))",
        "(lambda ((cons x (cons (cons 1 y) (cons '(2 3) ())))) (f (cons x y)))",
    );
    check("(list 1 2) (if 1 2)", "(cons 1 (cons 2 ())) (if 1 2 ())");
    check("#(1 #t) '(#(2)) (vector (list 1) '()) (vector)", "#(1 #t) '(#(2)) (vector (cons 1 ()) ()) (vector)");
    check("(list->vector (list 1))", "(list->vector (cons 1 ()))");
    check(
        "(define (even? n) (or (= n 0) (odd? (- n 1)))) (even? 3)",
        "(define even? (lambda (n) (let ((#or (= (cons n 0)))) (if #or #or (odd? (- (cons n 1))))))) (even? 3)",
    );
    check("(let* ((x 1) (y x)) x y)", "(let ((x 1)) (let ((y x)) (let ((#ignored x)) y)))");
    check("(let f ((x 1)) (f x))", "((letrec ((f (lambda (x) (f x)))) f) 1)");
    check(
        "(lambda () (define (f) (g)) (define (g) 1) (define y 2) f)",
        "(lambda (()) (letrec ((f (lambda (()) (g ()))) (g (lambda (()) 1))) (let ((y 2)) f)))",
    );
}

#[test]
fn the_prelude_is_shown_as_text_that_reads_as_itself() {
    check_again(&shown(prelude::TEXT));
}
