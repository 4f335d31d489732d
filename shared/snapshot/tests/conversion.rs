//! Tests of the conversion and of the layout: the invariants on programs of all constructs, and the printed form of
//! small ones.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

use vlad_core::Program;
use vlad_cps::liveness::{live_before, needs_slots_from};
use vlad_cps::{Block, Instruction, Role, check, pipeline, print};
use vlad_frontend::load::{Input, Options, load};
use vlad_snapshot::layout;

fn loaded(text: &str) -> Program {
    let input = Input::Text { name: "program".to_owned(), bytes: text.as_bytes().to_vec(), folder: None };
    load(input, &Options::default()).unwrap()
}

fn converted(text: &str) -> String {
    let program = loaded(text);
    let converted = pipeline(&program);
    let text = print::print(&program, &converted);
    if let Err(message) = check::check(&program, &converted) {
        panic!("{message}\n{text}");
    }
    text
}

/// Checks the layout too, in time quadratic in the size of an activation.
fn laid_out(text: &str) {
    converted(text);
    let program = loaded(text);
    layout::check::check(&program, &pipeline(&program)).unwrap_or_else(|message| panic!("{message}\n{text}"));
}

#[test]
fn programs_keep_the_invariants() {
    for text in [
        "",
        "1",
        "(define (f x) (if x (f (cdr x)) '())) (f '(1 2))",
        "(define (f x y z) 1)",
        "(let ((a 1) (b (list 1 2))) (+ a (car b)))",
        "(let (((cons a b) (cons 1 2)) ((list) '())) a)",
        "(define (f a) (+ 1 (if (if a #f #t) (f (f a)) (let ((b (f a))) (cons b (cons a b))))))",
        "(define (f a b) (let loop ((i 0) (s a)) (if (= i b) s (loop (+ i 1) (* s (f i i))))))",
        "(letrec ((even (lambda (n) (if (zero? n) #t (odd (- n 1))))) (odd (lambda (n) (even n)))) (even 4))",
        "(j* (lambda (x) (map (lambda (y) (* x y)) (list x x))) 3 1)",
        "(define (f x (cons 1 y)) (lambda () (x y))) ((f 1 1 2))",
        "((if #t car cdr) (cons (begin (write 1) 2) 3))",
        "(define (f x) (* (if (f x) (f 1) 2) (if (if (f x) (f 2) (f 3)) x (f 4)) (let ((y (if x 1 (f 2)))) (f y))))",
    ] {
        laid_out(text);
    }
}

/// The checker derives the flags independently: it finds each wrong one, in every block.
#[test]
fn wrong_needs_are_found() {
    let program = loaded(
        "(define (f x) (lambda (y) (if x (+ x (f y)) (letrec ((g (lambda (z) (if z (car (g x)) 1)))) (g y)))))
         (map (f 1) '(1 2))",
    );
    let converted = pipeline(&program);
    let flip_slots = |block: &mut Block| block.needs_slots = !block.needs_slots;
    let flip_site = |block: &mut Block| block.needs_site = !block.needs_site;
    let count = |needs: fn(&Block) -> bool| converted.blocks.iter().filter(|block| needs(block)).count();
    for some in [count(|block| block.needs_slots), count(|block| block.needs_site)] {
        assert!((1..converted.blocks.len()).contains(&some), "some blocks need something, and some do not");
    }
    for place in 0..converted.blocks.len() {
        let find = |flip: fn(&mut Block), what: &str| {
            let mut wrong = converted.clone();
            flip(&mut wrong.blocks[place]);
            let message = check::check(&program, &wrong).unwrap_err();
            assert!(message.contains(what), "block {place}: {message}");
        };
        find(flip_slots, "the slots");
        find(flip_site, "the site");
    }
}

/// A program that makes a list of `calls` calls, after as many variables that stay in scope.
fn long(calls: usize) -> String {
    let bindings: String = (0..calls).map(|call| format!("(x{call} (f {call})) ")).collect();
    let operands: String = (0..calls).map(|call| format!("(if (f x{call}) (f {call}) x{}) ", call / 2)).collect();
    format!("(define (f x) x) (let* ({bindings}) (list {operands}))")
}

#[test]
fn what_waits_is_packed() {
    let (short, double) = (converted(&long(300)).lines().count(), converted(&long(600)).lines().count());
    assert!(double < short * 5 / 2, "{short} lines become {double}");
    laid_out(&long(100));
}

/// A program with variables that wait unpacked at a branch, are packed inside it, and are used after it.
fn packed_in_a_branch() -> String {
    let bindings = |name, count: u32| (0..count).map(|number| format!("({name}{number} (f {number})) ")).collect();
    let (before, inside): (String, String) = (bindings("a", 20), bindings("b", 60));
    format!("(define (f x) x) (let* ({before}) (+ (if (f 1) (let* ({inside}) (+ (f 1) (f 2))) 0) a0))")
}

/// The variables that wait at the branch hold their values after it, whichever variable holds them inside.
#[test]
fn what_is_packed_in_a_branch_is_known_by_two_variables() {
    laid_out(&packed_in_a_branch());
}

/// The checker finds a live variable that holds no value of core, in every frame.
#[test]
fn what_is_not_known_is_found() {
    let program = loaded(&packed_in_a_branch());
    let converted = pipeline(&program);
    layout::check::check(&program, &converted).unwrap();
    for (place, block) in converted.blocks.iter().enumerate() {
        let Role::Continuation { .. } = block.role else { continue };
        let mut wrong = converted.clone();
        wrong.blocks[place].free.extend(&block.parameters);
        let message = layout::check::check(&program, &wrong).unwrap_err();
        assert!(message.contains("holds no local"), "block {place}: {message}");
    }
}

#[test]
fn a_call_needs_a_frame_for_what_is_used_after_it() {
    let text = converted("(define (f x y) (+ x (f y y)))");
    let expected = "\
b2 = λ k n l x3:x x4:y.
  n+6
  defined f
  n+3
  (f at b2 [b3 k x3!] n l x4 x4!)
b3 = λ n l x5 | k x3:x.
  x6 = (+ x3! x5!)
  (k n l x6!)
";
    assert!(text.contains(expected), "{text}");
}

/// The live variables at each step of a procedure, by name, followed by `+` if the slots are live.
fn alive_at_steps(text: &str) -> Vec<String> {
    let program = loaded(text);
    let converted = pipeline(&program);
    let mut found = Vec::new();
    for block in &converted.blocks {
        let names = &converted.activation(block.activation).names;
        for (place, instruction) in block.instructions.iter().enumerate() {
            let Instruction::Step(_) = instruction else { continue };
            let alive: Vec<&str> =
                live_before(block, place).iter().map(|variable| &*names[variable.0 as usize]).collect();
            let slots = if needs_slots_from(&converted, block, place) { "+" } else { "" };
            found.push(alive.join(" ") + slots);
        }
    }
    found.dedup();
    found
}

#[test]
fn what_is_alive_is_what_the_rest_needs() {
    // The definition; in f the nodes of `if` and `a`; then each branch has only the variable that it needs.
    let text = "(define (f a b c) (if a b (car c)))";
    assert_eq!(alive_at_steps(text), ["", "a b c", "b", "c"]);
    // The call takes ownership of x; the frame keeps y; the call's value is used at once.
    let text = "(define (f x y) (* y (f x 1)))";
    assert_eq!(alive_at_steps(text), ["", "x y"]);
    // The slot of the inner procedure is read before y is; after the call neither is needed.
    let text = "(lambda (x) (lambda (y) (if (x y) 1 2)))";
    assert_eq!(alive_at_steps(text), ["", "x", "y+", ""]);
}
