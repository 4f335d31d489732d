//! Tests that depth is bounded by memory, never by the host's stack: very deep recursion, data, closures, tapes and
//! programs run on a thread with a small stack, freeing included.

use crate::{check, check_on};
use rstest::rstest;
use vlad_conformance::fast_build::observe_text;
use vlad_engines::Engine;

/// The stack size of the threads of these tests.
const STACK: usize = 2 << 20;

/// Runs a closure on a thread with a small stack.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(STACK).spawn(work).unwrap().join().unwrap();
}

/// Procedures that build and traverse deep structures, with loops in constant space and without.
const DEFINITIONS: &str = "
(define (count-down n) (if (= n 0) 0 (count-down (- n 1))))
(define (sum-up n) (if (= n 0) 0 (+ 1 (sum-up (- n 1)))))
(define (right n data) (if (= n 0) data (right (- n 1) (cons n data))))
(define (left n data) (if (= n 0) data (left (- n 1) (cons data n))))
(define (wrap n f) (if (= n 0) f (wrap (- n 1) (lambda (x) (+ 1 (f x))))))
(define (total data) (let go ((data data) (sum 0)) (if (pair? data) (go (cdr data) (+ sum (car data))) sum)))
(define (leftmost data) (if (pair? data) (leftmost (car data)) data))
(define (multiply n x y) (if (= n 0) y (multiply (- n 1) x (* x y))))
(define (power n x) (if (= n 0) 1 (* x (power (- n 1) x))))
(define (boxed n data) (if (= n 0) data (boxed (- n 1) (vector data))))
(define (innermost data) (if (vector? data) (innermost (get data 0)) data))
(define (added v) (ifold (lambda (s i) (+ s (get v i))) 0 (length v)))
(define (stopped n x) (interrupt (lambda (x) (power n x)) x 3000000))
(define (nested n z) (if (= n 0) z (nested (- n 1) (interrupt (lambda (z) (+ 1 (resume z))) z 4))))
";

#[rstest]
#[case::loop_of_ten_million("(count-down 10000000)", &["0"])]
#[case::calls_one_million_deep("(sum-up 1000000)", &["1000000"])]
#[case::long_list("(define data (right 1000000 ())) (total data) (equal? data (right 1000000 ()))", &["500000500000", "#t"])]
#[case::deep_on_the_left("(define data (left 1000000 7)) (leftmost data) (equal? data (left 1000000 7))", &["7", "#t"])]
#[case::deep_and_different("(equal? (left 1000000 7) (left 1000000 8))", &["#f"])]
#[case::chain_of_closures("((wrap 1000000 (lambda (x) (* 2 x))) 5)", &["1000010"])]
#[case::equal_closures("(equal? (wrap 1000000 car) (wrap 1000000 car))", &["#t"])]
#[case::forward_through_calls("(j* (lambda (x) (power 300000 x)) 1 1)", &["(1 . 300000)"])]
#[case::reverse_through_calls("(*j (lambda (x) (power 300000 x)) 1 1)", &["(1 . 300000)"])]
#[case::reverse_through_a_loop("(*j (lambda (x) (multiply 300000 x 1)) 1 1)", &["(1 . 300000)"])]
#[case::reverse_over_forward(
    "(cdr (*j (lambda (x) (cdr (j* (lambda (x) (multiply 30000 x 1)) x 1))) 1 1))",
    &["899970000"]
)]
#[case::forward_over_reverse(
    "(cdr (j* (lambda (x) (cdr (*j (lambda (x) (multiply 30000 x 1)) x 1))) 1 1))",
    &["899970000"]
)]
#[case::gradient_of_a_long_list("(total (cdr (*j total (right 300000 ()) 1)))", &["300000"])]
#[case::gradient_of_a_deep_pair("(leftmost (cdr (*j leftmost (left 300000 7) 5)))", &["5"])]
#[case::tangent_of_deep_data("(leftmost (cdr (j* (lambda (x) (left 300000 x)) 7 5)))", &["5"])]
#[case::tangent_of_closures("((cdr (j* (lambda (x) (wrap 300000 (lambda (y) (* x y)))) 7 5)) 2)", &["300010"])]
#[case::cotangent_of_closures(
    "(cdr (*j (lambda (x) (wrap 300000 (lambda (y) (* x y)))) 7 (wrap 300000 ((lambda (x) (lambda (y) (* x y))) 5))))",
    &["5"]
)]
#[case::long_vector("(define data (build 1000000 identity)) (added data) (equal? data (build 1000000 identity))", &["499999500000", "#t"])]
#[case::deep_vectors("(innermost (boxed 1000000 7)) (equal? (boxed 1000000 7) (boxed 1000000 8))", &["7", "#f"])]
#[case::gradient_of_a_long_vector("(added (cdr (*j added (build 300000 identity) 1)))", &["300000"])]
#[case::gradient_of_deep_vectors("(innermost (cdr (*j innermost (boxed 300000 7) 5)))", &["5"])]
#[case::tangent_of_deep_vectors("(innermost (cdr (j* (lambda (x) (boxed 300000 x)) 7 5)))", &["5"])]
#[case::zero_of_deep_vectors("(innermost (zero (boxed 300000 7)))", &["0"])]
#[case::capsule_of_deep_calls("(resume (stopped 300000 1)) (primops resume (stopped 300000 1))", &["1", "2700012"])]
#[case::equal_deep_capsules("(equal? (stopped 300000 1) (stopped 300000 1)) (equal? (stopped 300000 1) (stopped 300000 2))", &["#t", "#f"])]
#[case::capsules_in_capsules("(define z (nested 30000 (stopped 300000 1))) z (resume z) (equal? z z)", &["#<capsule>", "30001", "#t"])]
#[case::forward_through_a_capsule("(j* (lambda (x) (resume (stopped 300000 x))) 1 1)", &["(1 . 300000)"])]
#[case::reverse_through_a_capsule("(*j (lambda (x) (resume (stopped 300000 x))) 1 1)", &["(1 . 300000)"])]
#[case::cotangent_of_a_deep_capsule(
    "(cdr (*j (lambda (x) (stopped 300000 x)) 1 (cdr (*j resume (stopped 300000 1) 1))))",
    &["300000"]
)]
#[case::checkpoints_through_calls("(checkpoint-*j (lambda (x) (power 300000 x)) 1 1)", &["(1 . 300000)"])]
#[case::checkpoints_through_a_loop("(checkpoint-*j (lambda (x) (multiply 300000 x 1)) 1 1)", &["(1 . 300000)"])]
#[case::computations_in_computations(
    "(define (inner n) (if (= n 0) 0 (primops inner (- n 1)))) (inner 1000000)",
    &["15"]
)]
#[case::zero_of_deep_data("(leftmost (zero (left 1000000 7)))", &["0"])]
#[case::plus_of_deep_data("(leftmost (plus (left 300000 7) (left 300000 5)))", &["12"])]
fn depth_is_bounded_by_memory(#[case] expressions: &str, #[case] expected: &'static [&'static str]) {
    let program = format!("{DEFINITIONS}{expressions}");
    on_a_small_stack(move || check(&program, expected));
}

/// Checks printing, to the left and to the right.
#[test]
fn deep_data_is_printed() {
    on_a_small_stack(|| {
        let program = format!("{DEFINITIONS}(left 1000000 7) (right 1000000 ())");
        for engine in Engine::ALL {
            let observation = observe_text(engine, &program);
            assert!(observation.diagnostics.is_empty(), "{}", observation.rendered());
            let [left, right] = observation.output.as_slice() else { panic!("{engine} prints two values") };
            assert!(left.starts_with("(((((((") && left.ends_with(" . 2) . 1)"));
            assert!(right.starts_with("(1 2 3 4 ") && right.ends_with(" 999999 1000000)"));
        }
    });
}

/// The nesting depth of programs for an engine; a tenth if all code goes through a C compiler, which is enough to break
/// an engine whose recursion is as deep as the program.
fn nesting(engine: Engine) -> usize {
    match engine {
        Engine::Interp | Engine::Hybrid | Engine::FirstOrder => 100_000,
        Engine::Native | Engine::NativeTagged => 10_000,
    }
}

fn nested(times: usize, opening: &str, inside: &str, closing: &str) -> String {
    format!("{}{inside}{}", opening.repeat(times), closing.repeat(times))
}

#[rstest]
#[case::applications(|n| nested(n, "(+ 1 ", "0", ")"), |n: usize| n.to_string())]
#[case::sign_flips(|n| nested(n, "(- ", "5", ")"), |_| "5".to_owned())]
#[case::lets(|n| nested(n, "(let ((x 1)) ", "x", ")"), |_| "1".to_owned())]
#[case::sequential_lets(|n| format!("(let* ({}) x)", "(x 1) ".repeat(n)), |_| "1".to_owned())]
#[case::ifs(|n| nested(n, "(if #t ", "3", " 4)"), |_| "3".to_owned())]
#[case::tests(|n| nested(n, "(if ", "#t", " #t #f)"), |_| "#t".to_owned())]
#[case::begins(|n| nested(n, "(begin 1 ", "3", ")"), |_| "3".to_owned())]
#[case::clauses(|n| format!("(cond {} (else 3))", "(#f 1) ".repeat(n)), |_| "3".to_owned())]
#[case::disjunctions(|n| format!("(or {} 3)", "#f ".repeat(n)), |_| "3".to_owned())]
#[case::conjunctions(|n| format!("(and {} 3)", "1 ".repeat(n)), |_| "3".to_owned())]
#[case::operands(|n| format!("(+ {})", "1 ".repeat(n)), |n: usize| n.to_string())]
#[case::operators(|n| format!("(define (i x) x) ({} 3)", nested(n, "(", "i", " i)")), |_| "3".to_owned())]
#[case::quotations(|n| format!("(equal? '{0} '{0})", nested(n, "(", "1", ")")), |_| "#t".to_owned())]
#[case::letrecs(|n| nested(n, "(letrec ((f (lambda (x) x))) ", "(f 3)", ")"), |_| "3".to_owned())]
fn programs_nest_deeply(#[case] program: fn(usize) -> String, #[case] expected: fn(usize) -> String) {
    for engine in Engine::ALL {
        let times = nesting(engine);
        on_a_small_stack(move || check_on(engine, &program(times), &[&expected(times)]));
    }
}
