//! The calls that have code for items that are not specialised, and the shapes of their operands.

use super::{Call, Procedure, Specialised};
use crate::analysis::Weighing;
use rstest::rstest;
use vlad_core::Program;
use vlad_first_order::passes::Passes;
use vlad_frontend::load::{Input, Options, load};

fn program(text: &str) -> Program {
    let input = Input::Text { name: "test".to_owned(), bytes: text.into(), folder: None };
    load(input, &Options::default()).unwrap()
}

/// The calls with code, if an item refers to all of a program and is not specialised.
fn calls(definitions: &str, used: &str) -> Vec<String> {
    let program = program(&format!("{definitions} (interrupt (lambda (x) {used}) 1 1)"));
    let Specialised { items, procedures, .. } = Specialised::of(&program, Passes::ALL, Weighing::All, usize::MAX);
    assert!(items.last().unwrap().is_none());
    procedures.iter().map(|procedure| shown(&program, procedure)).collect()
}

fn shown(program: &Program, Procedure { lambda, call, operands, .. }: &Procedure) -> String {
    let name = program.lambda(*lambda).name.as_deref().unwrap();
    let operands: Vec<String> = operands.iter().map(ToString::to_string).collect();
    let of = match call {
        Call::Plain => "",
        Call::Forward => "j* ",
        Call::Reverse => "*j ",
    };
    format!("{of}{name} {}", operands.join(" "))
}

const SUM: &str = "(define (sum v) (ifold (lambda (s i) (+ s (get v i))) 0 (vector-length v)))";
const POWER: &str = "(define (power x n) (if (= n 0) 1 (* x (power x (- n 1)))))";

#[rstest]
#[case::vector(SUM, "(sum (vector x))", &["sum vector"])]
#[case::matrix(
    "(define (at m) (ifold (lambda (s i) (+ s (get (get m i) i))) 0 (vector-length m)))",
    "(at (vector (vector x)))",
    &["at matrix"]
)]
#[case::captured_twice(
    "(define (twice v n) (ifold (lambda (s i) (ifold (lambda (s j) (+ s (get v j))) s n)) 0 n))",
    "(twice (vector x) x)",
    &["twice vector real"]
)]
#[case::passed_on(
    "(define (sum v) (ifold (lambda (s i) (+ s (get v i))) 0 (length v))) (define (both a v) (* a (sum v)))",
    "(both x (vector x))",
    &["sum vector", "both real vector"]
)]
#[case::one_list("(define (f (list x n)) (ifold (lambda (s i) (* s x)) 1 n))", "(f (list x x))", &["f (real real)"])]
#[case::derivatives(
    POWER,
    "(list (j* power (cons x 3) (cons 1 0)) (*j power (cons x 3) 1))",
    &["power real real", "j* power (real . real) (real . real)", "*j power (real . real) real"]
)]
#[case::called_alone_and_no_operator(POWER, "(power x 3)", &["power real real"])]
#[case::no_repetition("(define (f x) (* x x))", "(f x)", &[])]
#[case::not_reached(POWER, "x", &[])]
#[case::list("(define (total l) (if (null? l) 0 (+ (car l) (total (cdr l)))))", "(total (list x))", &[])]
#[case::procedure("(define (twice f n) (ifold (lambda (s i) (f s)) 1 n))", "(twice sqr x)", &[])]
#[case::effects("(define (f n) (ifold (lambda (s i) (+ s (read-real))) 0 n))", "(f x)", &[])]
#[case::closure("(define (f n) (lambda (x) (ifold (lambda (s i) (* s x)) 1 n)))", "((f x) x)", &[])]
#[case::itself_not_specialised("(define (f n) (ifold (lambda (s i) (resume s)) (interrupt sqr n 1) n))", "(f x)", &[])]
fn calls_have_code(#[case] definitions: &str, #[case] used: &str, #[case] expected: &[&str]) {
    assert_eq!(calls(definitions, used), expected);
}

/// An item without a unit is what calls them; the items of a program that is specialised as a whole need none.
#[test]
fn there_are_none_for_specialised_items() {
    let program = program(&format!("{POWER} (power (read-real) 9)"));
    assert!(Specialised::of(&program, Passes::ALL, Weighing::All, usize::MAX).procedures.is_empty());
    assert_eq!(Specialised::of(&program, Passes::ALL, Weighing::All, 1).procedures.len(), 1);
}

/// The steps of a call are those of the procedure's body, without the nodes of the application.
#[test]
fn the_steps_of_the_call_are_not_those_of_the_procedure() {
    let program = program(&format!("{POWER} (interrupt (lambda (x) (list (power x 3) (j* power (cons x 3) 1))) 1 1)"));
    let procedures = Specialised::of(&program, Passes::ALL, Weighing::All, usize::MAX).procedures;
    let steps: Vec<u64> = procedures.iter().map(|procedure| procedure.call_steps).collect();
    // The application, the operator, two operands and their pair; then one more operand and one more pair.
    assert_eq!(steps, [5, 7]);
}
