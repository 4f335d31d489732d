//! Depth and length of programs take no host stack and no quadratic time: each test takes a fraction of a second.

use super::{describe, text, try_load};
use std::thread;
use vlad_core::print as core_print;
use vlad_frontend::load::{Options, named, surface, tokens};

/// The depth, or the length. A stack of 256 KiB has no room for 8 bytes for each level.
const DEEP: usize = 40_000;

/// Loads, checks, shows and drops a program on a small stack.
fn survives(program: String) {
    let thread = thread::Builder::new().stack_size(256 << 10);
    let outcome = thread.spawn(move || {
        tokens(text(&program), &Options::default()).unwrap();
        surface(text(&program), &Options::default()).unwrap();
        let loaded = try_load(&program).unwrap_or_else(|failure| panic!("{}", describe(&failure)));
        assert!(named(text(&program), &Options::default()).unwrap().len() < 150 * program.len());
        assert!(core_print::print(&loaded).len() < 150 * program.len());
    });
    outcome.unwrap().join().unwrap();
}

/// Loads a program with errors on a small stack.
fn fails(program: String) {
    let thread = thread::Builder::new().stack_size(256 << 10);
    thread.spawn(move || assert!(try_load(&program).is_err())).unwrap().join().unwrap();
}

fn nested(before: &str, inner: &str, after: &str) -> String {
    before.repeat(DEEP) + inner + &after.repeat(DEEP)
}

#[test]
fn deep_applications() {
    survives(nested("(sin ", "1", ")"));
    survives(nested("(", "sin", ")"));
    survives(nested("(cons 1 ", "1", ")"));
    survives(nested("(list ", "1", ")"));
}

#[test]
fn deep_binding_forms() {
    survives(nested("(lambda (x) ", "1", ")"));
    survives(nested("(lambda (x) ", "x", ")"));
    survives(nested("(let ((x 1)) ", "x", ")"));
    survives(nested("(let ((x ", "1", ")) x)"));
    survives(nested("(let loop ((x 1)) ", "x", ")"));
    survives(nested("(letrec ((f (lambda (x) x))) ", "f", ")"));
    survives(nested("(letrec ((f (lambda (x) ", "1", "))) 2)"));
    survives(nested("(lambda () (define y 1) ", "2", ")"));
    survives(nested("(lambda () (define (y) ", "2", ") 1)"));
}

#[test]
fn a_variable_from_far_outside() {
    survives(format!("(lambda (far) {})", nested("(lambda (x) ", "far", ")")));
}

#[test]
fn deep_conditionals() {
    survives(nested("(if 1 2 ", "3", ")"));
    survives(nested("(if ", "3", " 1 2)"));
    survives(nested("(cond (else ", "3", "))"));
    survives(nested("(or #f ", "3", ")"));
    survives(nested("(begin 1 ", "3", ")"));
}

#[test]
fn deep_data_and_patterns() {
    survives(format!("'{}", nested("(", "", ")")));
    survives(format!("'{}", nested("(1 . ", "2", ")")));
    survives(nested("#(", "", ")"));
    survives(format!("'{}", nested("(#(1 (", "2", ")) 3)")));
    survives(nested("(vector ", "1", ")"));
    survives(format!("(lambda ({}) x)", nested("(cons 1 ", "x", ")")));
    survives(format!("(lambda ({}) x)", nested("(list ", "x", ")")));
    survives(format!("(define {} 1)", nested("(", "f", " x)")));
    survives(format!("1 {} 2", "#; ".repeat(DEEP) + &"3 ".repeat(DEEP)));
    survives(format!("1 {}", nested("#| ", "", " |#")));
}

#[test]
fn long_forms() {
    survives(format!("(cond {})", "(#f 1) ".repeat(DEEP)));
    survives(format!("(cond {})", "(#f) ".repeat(DEEP)));
    survives(format!("(and {})", "1 ".repeat(DEEP)));
    survives(format!("(or {})", "1 ".repeat(DEEP)));
    survives(format!("(begin {})", "1 ".repeat(DEEP)));
    survives(format!("(list {})", "1 ".repeat(DEEP)));
    survives(format!("'({})", "1 ".repeat(DEEP)));
    survives(format!("#({})", "1 ".repeat(DEEP)));
    survives(format!("#({})", "#(1 #t) ".repeat(DEEP)));
    survives(format!("(vector {})", "1 ".repeat(DEEP)));
    survives(format!("(let* ({}) x)", "(x 1) ".repeat(DEEP)));
    let names: String = (0..DEEP).map(|number| format!("x{number} ")).collect();
    survives(format!("(lambda ({names}) x0)"));
    let bindings: String = (0..DEEP).map(|number| format!("(x{number} {number})")).collect();
    survives(format!("(let ({bindings}) x5)"));
    let definitions: String = (0..DEEP).map(|number| format!("(define (f{number}) (f0))")).collect();
    survives(format!("{definitions} (f7)"));
    survives(format!("(lambda () {definitions} (f7))"));
    let values: String = (0..DEEP).map(|number| format!("(define x{number} x)")).collect();
    survives(format!("(lambda (x) {values} x9)"));
}

#[test]
fn deep_errors() {
    fails("(".repeat(DEEP));
    fails(")".repeat(DEEP));
    fails("'".repeat(DEEP));
    fails("#(".repeat(DEEP));
    fails("#(1 . 2) ".repeat(DEEP));
    fails(nested("#(", "a", ")"));
    fails(format!("(lambda ({}) 1)", nested("#(", "a", ")")));
    fails(format!("(lambda ({}) 1)", "'(1 #(2)) ".repeat(DEEP)));
    fails(format!("'{}1", "'".repeat(DEEP)));
    fails("#| ".repeat(DEEP));
    fails("#;".repeat(DEEP));
    fails(nested("(lambda (x) ", "y", ")"));
    fails(nested("(define (f) ", "1", ")"));
    fails(nested("(foo ", "1", ")"));
    let uses: String = (0..DEEP).map(|number| format!("x{number} ")).collect();
    fails(format!("(lambda () {uses})"));
    fails(format!("(lambda ({}) 1)", "x ".repeat(DEEP)));
}
