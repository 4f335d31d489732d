//! Depth is bounded by memory, never by the host's stack: very deep recursion, data, closures, tapes and programs on a
//! thread with a small stack, freeing included.

use crate::check;
use rstest::rstest;

/// The stack of the thread that everything here runs on.
const STACK: usize = 2 << 20;

/// Runs a program on a thread with a small stack.
fn check_on_a_small_stack(program: String, expected: &'static [&'static str]) {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || check(&program, expected)).unwrap();
    thread.join().unwrap();
}

/// Procedures that build and take apart deep structures, with loops in constant space and without.
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
#[case::zero_of_deep_data("(leftmost (zero (left 1000000 7)))", &["0"])]
#[case::plus_of_deep_data("(leftmost (plus (left 300000 7) (left 300000 5)))", &["12"])]
fn depth_is_bounded_by_memory(#[case] expressions: &str, #[case] expected: &'static [&'static str]) {
    check_on_a_small_stack(format!("{DEFINITIONS}{expressions}"), expected);
}

/// Printing: to the left and to the right.
#[test]
fn deep_data_is_printed() {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(|| {
        let program = format!("{DEFINITIONS}(left 1000000 7) (right 1000000 ())");
        for engine in vlad_conformance::engine::Engine::ALL {
            let observation = vlad_conformance::observe::observe_text(engine, &program);
            assert!(observation.diagnostics.is_empty(), "{}", observation.rendered());
            assert!(observation.output[0].starts_with("(((((((") && observation.output[0].ends_with(" . 2) . 1)"));
            assert!(
                observation.output[1].starts_with("(1 2 3 4 ") && observation.output[1].ends_with(" 999999 1000000)")
            );
        }
    });
    thread.unwrap().join().unwrap();
}

/// How deep programs nest here.
const NESTING: usize = 100_000;

fn nested(opening: &str, inside: &str, closing: &str) -> String {
    format!("{}{inside}{}", opening.repeat(NESTING), closing.repeat(NESTING))
}

#[rstest]
#[case::applications(&nested("(+ 1 ", "0", ")"), &["100000"])]
#[case::sign_flips(&nested("(- ", "5", ")"), &["5"])]
#[case::lets(&nested("(let ((x 1)) ", "x", ")"), &["1"])]
#[case::sequential_lets(&format!("(let* ({}) x)", "(x 1) ".repeat(NESTING)), &["1"])]
#[case::ifs(&nested("(if #t ", "3", " 4)"), &["3"])]
#[case::tests(&nested("(if ", "#t", " #t #f)"), &["#t"])]
#[case::begins(&nested("(begin 1 ", "3", ")"), &["3"])]
#[case::clauses(&format!("(cond {} (else 3))", "(#f 1) ".repeat(NESTING)), &["3"])]
#[case::disjunctions(&format!("(or {} 3)", "#f ".repeat(NESTING)), &["3"])]
#[case::conjunctions(&format!("(and {} 3)", "1 ".repeat(NESTING)), &["3"])]
#[case::operands(&format!("(+ {})", "1 ".repeat(NESTING)), &["100000"])]
#[case::operators(&format!("(define (i x) x) ({} 3)", nested("(", "i", " i)")), &["3"])]
#[case::quotations(&format!("(equal? '{0} '{0})", nested("(", "1", ")")), &["#t"])]
#[case::letrecs(&nested("(letrec ((f (lambda (x) x))) ", "(f 3)", ")"), &["3"])]
fn programs_nest_deeply(#[case] program: &str, #[case] expected: &'static [&'static str]) {
    check_on_a_small_stack(program.to_owned(), expected);
}
